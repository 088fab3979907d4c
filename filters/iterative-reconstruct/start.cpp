// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/start.hpp"
#include "kernels/iterate/normal.hpp"
#include <numbers>

namespace sino::iterative_reconstruct {

using namespace fourier_reconstruct;

namespace {

// More exact than the best of fourier-reconstruct: slices move by twice the error of c.
constexpr double finer_grid = 1.5;

fourier_reconstruct::Job job_of (const Problem &problem)
{
  return {.size = problem.margin < 0 ? problem.columns : problem.size,
          .slice = problem.size,
          .rays = problem.rays,
          .filter = {.window = ramp_filter::Window::sinc, .cutoff = 1, .order = 2, .power = 1.5, .spacing = 1},
          .edge = false,
          .width = width_for (best_accuracy),
          .oversampling = finer_grid,
          .mask = false,
          .roi = {0, 0, problem.size, problem.size}};
}

} // namespace

Start::Start (const Problem &problem, const Cpu &c, const Monitor &m, Allotment &memory)
    : cpu (c), monitor (m), stack (job_of (problem)), reconstructor (stack, memory)
{
  auto &gridding = stack.gridding;
  gridding.set_filter (stack.job.filter, [&] (int64_t n, const auto &body) { cpu.parallel (n, 64, body); });
  of_filter = std::move (gridding.response);
  for (auto &value : of_filter)
    value *= std::numbers::pi_v<float>; // the sum of the weights that back-projection takes
  const auto count = gridding.padded / 2 + 1;
  of_adjoint.resize (static_cast<size_t> (count) * problem.rays.size ());
  cpu.parallel (std::ssize (problem.rays), 1, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++) {
      const auto &ray = problem.rays[static_cast<size_t> (i)];
      for (int64_t k = 0; k + 1 < count; k++) { // 2 k = P is no frequency of A
        const double v = static_cast<double> (k) / static_cast<double> (gridding.padded);
        of_adjoint[static_cast<size_t> (i * count + k)] =
            static_cast<float> (iterate::response (v, ray.cos, ray.sin) / static_cast<double> (gridding.padded));
      }
    }
  });
}

void Start::memory (const Problem &problem, int threads, Bill &bill)
{
  const StackPlan stack (job_of (problem));
  Bill of_thread;
  Reconstructor::memory (stack, bill, of_thread);
  add_for_each (bill, of_thread, static_cast<size_t> (threads));
  const auto count = static_cast<size_t> (stack.gridding.padded / 2 + 1);
  add_bytes (bill, "tables of rays", stack.resident () + count * (problem.rays.size () + 1) * sizeof (float));
}

void Start::run (std::vector<float> &response, const Bins &bins, std::span<float *const> images)
{
  std::swap (stack.gridding.response, response);
  reconstructor.run (cpu, monitor, bins, images);
  std::swap (stack.gridding.response, response);
}

void Start::adjoint (const Bins &bins, std::span<float *const> images)
{
  run (of_adjoint, bins, images);
}

void Start::filtered (const Bins &bins, std::span<float *const> images)
{
  run (of_filter, bins, images);
}

} // namespace sino::iterative_reconstruct
