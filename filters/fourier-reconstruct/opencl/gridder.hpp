// SPDX-License-Identifier: LGPL-3.0-or-later
// Enqueues the reconstruction of some lanes of sinograms on an OpenCL device: all stages, in short launches.
#pragma once
#include "base/monitor.hpp"
#include "device/opencl-queues.hpp"
#include "filters/fourier-reconstruct/opencl/stages.hpp"
#include "filters/fourier-reconstruct/opencl/transforms.hpp"
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

class Gridder
{
public:
  // `gridding`: the plan's gridding with its filter. `transforms`: replace the transforms of the plan, if given. Throws
  // Error.
  Gridder (const Reconstructing &how, const OpenclQueues &queues, const Gridding &gridding,
           std::unique_ptr<LineTransforms> transforms = nullptr);

  struct Span {
    cl::Event first, last; // commands
  };
  // Fills dense slices from those of lane `lane` on, as many as are processed at once; there are `slices` in all. Slice
  // number `place` of `out` is the first. Throws cl::Error, or Cancelled.
  Span run (const cl::Buffer &bins, const cl::Buffer &out, int lane, int slices, int place);
  Stages &kernels () { return stages; }

private:
  const Monitor &monitor;
  const std::shared_ptr<const OpenclPlan> plan;
  const Batches batches;
  const OpenclQueues &queues;
  Stages stages;
  std::unique_ptr<LineTransforms> transforms;
  std::deque<cl::Event> queued; // events of steps that may be unfinished

  void spread (const Part &columns);
  void step ();
};

} // namespace sino::fourier_reconstruct
