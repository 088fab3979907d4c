// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/ramp-filter/opencl.hpp"
#include "device/devices.hpp"
#include "filters/ramp-filter/make-rows.hpp"
#include "glue/workers/opencl-point-worker.hpp"

namespace sino::ramp_filter {

namespace {

class Filterer final : public OpenclPointWorker
{
public:
  Filterer (const Replica &replica, const families::Setting &setting, const families::Problem &problem,
            const ramp_filter::SpectrumFilter &filter)
      : OpenclPointWorker (replica), rows (make_rows ({.device = device,
                                                       .setting = setting,
                                                       .problem = problem,
                                                       .width = replica.inputs[0]->line (),
                                                       .filter = filter,
                                                       .memory = replica.memory}))
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    const bool alone = in.lanes () == 1; // without lanes, rows of all angles are alike
    const auto [first, last] =
        rows->enqueue (queues.kernels, from, to, alone ? in.values () / in.line () : in.rows ().size (),
                       alone ? 1 : in.angles ().size ());
    return {first, last};
  }

private:
  const std::unique_ptr<OpenclRows> rows;
};

class Copier final : public OpenclPointWorker
{
public:
  explicit Copier (const Replica &replica) : OpenclPointWorker (replica) {}

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    cl::Event event;
    queues.kernels.enqueueCopyBuffer (from, to, 0, 0, in.bytes (), nullptr, &event);
    return {event, event};
  }
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const families::Setting &setting,
                                       const families::Problem &problem, const ramp_filter::SpectrumFilter &filter)
{
  return std::make_unique<Filterer> (replica, setting, problem, filter);
}

std::unique_ptr<Worker> opencl_copier (const Replica &replica)
{
  return std::make_unique<Copier> (replica);
}

void opencl_memory (const Sizing &sizing, int64_t width, const families::Setting &setting,
                    const families::Problem &problem, Bill &bill)
{
  const auto rows = sizing.output_block / (static_cast<size_t> (width) * sizeof (float));
  rows_memory (as_opencl (sizing.device), setting, problem, static_cast<int64_t> (rows), bill);
}

} // namespace sino::ramp_filter
