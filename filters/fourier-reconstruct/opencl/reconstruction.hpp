// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs groups of lanes on an OpenCL device, one after the other.
#pragma once
#include "families/clock.hpp"
#include "filters/fourier-reconstruct/opencl/gridder.hpp"
#include "filters/slice/opencl-worker.hpp"

namespace sino::fourier_reconstruct {

class OpenclReconstruction final : public slice::SliceKernels
{
public:
  // `gridding`: the plan's gridding with its filter. `transforms`: replace the transforms of the plan, if given. Throws
  // Error.
  OpenclReconstruction (const Reconstructing &how, const Gridding &gridding,
                        std::unique_ptr<LineTransforms> transforms = nullptr);

  // Fills the slices, dense, each in its own place, from [ray][bin][lane]. Does not wait for slices in shared memory.
  // Throws Error, or Cancelled.
  void run (const MemoryPiece &bins, std::span<const MemoryPiece> slices) override;
  void wait () override { clock.wait (); }

  // Memory needed. `input_reached`, `output_reached`: bytes of the blocks that the device reaches directly, else 0.
  static void memory (const OpenclDevice &device, const OpenclPlan &plan, int lanes, const Batches &batches,
                      size_t input_reached, size_t output_reached, Bill &bill);

private:
  const OpenclDevice &device;
  const std::shared_ptr<const OpenclPlan> plan;
  const int lanes;
  const Batches batches;
  OpenclQueues queues;
  Gridder gridder;
  Uploads uploads;
  slice::OpenclFrames frames;
  families::KernelClock clock;
};

} // namespace sino::fourier_reconstruct
