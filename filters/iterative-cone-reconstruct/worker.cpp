// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-cone-reconstruct/worker.hpp"
#include "filters/iterative-cone-reconstruct/fdk.hpp"
#include "filters/iterative-cone-reconstruct/input.hpp"
#include "filters/iterative-cone-reconstruct/metric.hpp"

namespace sino::iterative_cone_reconstruct {

namespace {

Outcome solve (Space &space, double noise)
{
  switch (space.problem.solving.method) {
  case Method::tv:
    return solve_tv (space, noise);
  case Method::cgls:
    return solve_cgls (space);
  case Method::os_sart:
  case Method::sirt:
    return solve_sart (space);
  case Method::iterated_fdk:
    return solve_fdk (space);
  }
  return {};
}

class ConeWorker final : public Worker
{
public:
  ConeWorker (const Replica &r, const Problem &p, const char *m) : replica (r), problem (p), method (m) {}

  void run (std::span<Input *const> inputs, Output *output) override
  {
    Space space (problem, replica);
    std::shared_ptr<const Format> format;
    while (const Block in = inputs[0]->pop ()) {
      put (space, in);
      format = in.format_pointer ();
    }
    scale (space);
    const auto noise = noise_of (space, *format, {&replica.monitor, &replica.counters});
    Report report (replica, problem, method, noise, static_cast<double> (space.scale));
    space.done = [&report] (const Outcome &outcome) { report.step (outcome); };
    report.tell (solve (space, noise.deviation));
    while (Block block = output->next ()) {
      fill (space, block);
      output->push (std::move (block));
    }
  }

private:
  const Replica replica;
  const Problem &problem;
  const char *const method;
};

} // namespace

std::unique_ptr<Worker> make_worker (const Replica &replica, const Problem &problem, const char *method)
{
  return std::make_unique<ConeWorker> (replica, problem, method);
}

void worker_memory (const Problem &problem, int threads, Bill &bill)
{
  Space::memory (problem, threads, bill);
  const bool is_tv = problem.solving.method == Method::tv;
  if (is_tv || problem.solving.method == Method::iterated_fdk) {
    Fdk::memory (problem, threads, bill);
    add_bytes (bill, "a coarse scan", density_factor_bytes (problem, threads));
  }
  if (is_tv)
    add_bytes (bill, "metric", Metric::bytes (problem.scene, threads));
}

} // namespace sino::iterative_cone_reconstruct
