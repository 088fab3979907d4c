// SPDX-License-Identifier: LGPL-3.0-or-later
#include "fourier-reconstruct/opencl/worker.hpp"
#include "fourier-reconstruct/opencl/reconstruction.hpp"
#include "slices/worker.hpp"

namespace sino::fourier {

namespace {

const OpenclDevice &as_opencl (const Device &device)
{
  return dynamic_cast<const OpenclDevice &> (device);
}

Gridding with_filter (const OpenclPlan &plan, const Cpu &cpu)
{
  auto gridding = plan.gridding;
  gridding.set_filter (plan.job.filter, [&] (int64_t n, auto body) { cpu.parallel (n, 64, body); });
  return gridding;
}

class OpenclWorker final : public SliceWorker
{
public:
  OpenclWorker (const Replica &replica, const std::shared_ptr<const OpenclPlan> &plan, int most)
      : counters (replica.counters), reconstruction (as_opencl (replica.device), replica.monitor, plan,
                                                     with_filter (*plan, replica.cpu), replica.input_layouts[0].lanes,
                                                     slices_together (as_opencl (replica.device), *plan,
                                                                      std::min (most, replica.input_layouts[0].lanes)))
  {
  }
  ~OpenclWorker () override
  {
    try {
      reconstruction.end ();
      count ();
    } catch (const Error &) { // was told to who waited for the slices
    }
  }

protected:
  void reconstruct (const Block &in, size_t offset, std::span<const Slice> group) override
  {
    std::vector<Place> slices;
    bool wanted = false;
    for (const auto &slice : group) {
      slices.push_back (slice.block ? Place (*slice.block, slice.offset) : Place (nullptr));
      wanted = wanted || slice.block;
    }
    if (!wanted)
      return;
    reconstruction.run ({in, offset}, slices);
    count ();
  }

private:
  Counters &counters;
  OpenclReconstruction reconstruction;
  int64_t counted = 0;

  void count ()
  {
    const auto now = static_cast<int64_t> (1e6 * reconstruction.seconds ());
    counters.add ("kernel-microseconds", now - counted);
    counted = now;
  }
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const std::shared_ptr<const OpenclPlan> &plan, int most)
{
  return std::make_unique<OpenclWorker> (replica, plan, most);
}

size_t opencl_memory (const Sizing &sizing, const OpenclPlan &plan, int most)
{
  const int lanes = sizing.input_layouts[0].lanes;
  return OpenclReconstruction::memory (
      plan, lanes, slices_together (as_opencl (sizing.device), plan, std::min (most, lanes)),
      sizing.input_reached ? sizing.input_block[0] : 0, sizing.output_reached ? sizing.output_block : 0);
}

} // namespace sino::fourier
