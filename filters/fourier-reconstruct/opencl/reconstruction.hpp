// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs groups of lanes on an OpenCL device, one after the other.
#pragma once
#include "families/clock.hpp"
#include "filters/fourier-reconstruct/opencl/stages.hpp"
#include "filters/fourier-reconstruct/opencl/transforms.hpp"
#include "filters/slice/opencl-worker.hpp"
#include <deque>

namespace sino::fourier_reconstruct {

// Device, plan and sizes for the reconstruction of sinograms with `lanes` lanes.
struct Reconstructing {
  const OpenclDevice &device;
  const Monitor &monitor;
  std::shared_ptr<const OpenclPlan> plan;
  int lanes;
  Batches batches;
  const families::Setting &setting;
  Allotment &memory;
  Counters *counters = nullptr;
};

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
  const Monitor &monitor;
  const std::shared_ptr<const OpenclPlan> plan;
  const int lanes;
  const Batches batches;
  OpenclQueues queues;
  Stages stages;
  std::unique_ptr<LineTransforms> transforms;
  Uploads uploads;
  slice::OpenclFrames frames;
  std::deque<cl::Event> queued; // events of steps that may be unfinished
  families::KernelClock clock;

  void reconstruct (const cl::Buffer &bins, const cl::Buffer &out, int lane, int slices);
  void spread (const Part &columns);
  void step ();
};

} // namespace sino::fourier_reconstruct
