// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/reconstruction.hpp"

namespace sino::fourier_reconstruct {

static size_t bins_bytes (const OpenclPlan &plan, int lanes)
{
  return static_cast<size_t> (lanes) * plan.job.rays.size () * static_cast<size_t> (plan.job.size) * sizeof (float);
}

OpenclReconstruction::OpenclReconstruction (const Reconstructing &how, const Gridding &gridding,
                                            std::unique_ptr<LineTransforms> t)
    : device (how.device), plan (how.plan), lanes (how.lanes), batches (how.batches), queues (device),
      gridder (how, queues, gridding, std::move (t)), uploads (queues, how.memory),
      frames (queues, plan->job.roi, plan->job.roi, how.memory), clock (queues, how.counters)
{
}

void OpenclReconstruction::memory (const OpenclDevice &device, const OpenclPlan &plan, int lanes,
                                   const Batches &batches, size_t input_reached, size_t output_reached, Bill &bill)
{
  fourier_reconstruct::memory (device, plan, batches, bill);
  // In blocks with several groups, only the first group is used in place, without a copy.
  if (const auto bins = bins_bytes (plan, lanes); input_reached == 0 || input_reached >= 2 * bins)
    add_buffers (bill, Uploads::item, bins, Staging::slots);
  slice::OpenclFrames::memory (plan.job.roi, plan.job.roi, lanes, output_reached, bill);
}

void OpenclReconstruction::run (const MemoryPiece &values, std::span<const MemoryPiece> slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto &bins = uploads.take (values, bins_bytes (*plan, lanes));
    const auto &out = frames.take (slices, lanes);
    const auto count = static_cast<int> (slices.size ());
    for (int lane = 0; lane < count; lane += batches.slices) {
      const auto commands = gridder.run (bins, out, lane, count, lane);
      clock.add (commands.first, commands.last);
    }
    const auto computed = kernels_done (queues);
    uploads.until (computed);
    frames.finish (slices, computed);
  });
}

} // namespace sino::fourier_reconstruct
