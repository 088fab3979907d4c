// SPDX-License-Identifier: LGPL-3.0-or-later
#include "ramp-filter/opencl.hpp"
#include "opencl/point-worker.hpp"
#include "ramp-filter/opencl-rows.hpp"

namespace sino::ramp_filter {

namespace {

class Filterer final : public OpenclPointWorker
{
public:
  Filterer (const Replica &replica, const kernels::SpectrumFilter &filter, bool edge)
      : OpenclPointWorker (replica),
        rows (device, replica.inputs[0]->line (), replica.input_layouts[0].lanes, filter, edge)
  {
  }

protected:
  void process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    const auto &queue = device.queues ().kernels;
    if (in.lanes () == 1) // a row is a row, of whatever angle
      rows.enqueue (queue, from, to, in.values () / in.line (), 1);
    else
      rows.enqueue (queue, from, to, in.rows ().size (), in.angles ().size ());
  }

private:
  OpenclRows rows;
};

class Copier final : public OpenclPointWorker
{
public:
  explicit Copier (const Replica &replica) : OpenclPointWorker (replica) {}

protected:
  void process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    device.queues ().kernels.enqueueCopyBuffer (from, to, 0, 0, in.bytes ());
  }
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const kernels::SpectrumFilter &filter, bool edge)
{
  return std::make_unique<Filterer> (replica, filter, edge);
}

std::unique_ptr<Worker> opencl_copier (const Replica &replica)
{
  return std::make_unique<Copier> (replica);
}

size_t opencl_memory (const Sizing &sizing, int64_t width, int64_t padded)
{
  const auto rows = sizing.output_block / (static_cast<size_t> (width) * sizeof (float));
  return copies_memory (sizing) + (padded > 0 ? OpenclRows::memory (padded, static_cast<int64_t> (rows)) : 0);
}

} // namespace sino::ramp_filter
