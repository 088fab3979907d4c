// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of nodes whose slices come from kernels of an OpenCL device.
#pragma once
#include "filters/slice/opencl-frames.hpp"
#include "filters/slice/worker.hpp"

namespace sino::slice {

class SliceKernels
{
public:
  virtual ~SliceKernels () = default;
  // Fills the slices of one group of lanes, dense, a place each, as many as there are rows in the group. Those whose
  // place is nowhere need not come. Does not wait for those in shared memory. Throws Error, or Cancelled.
  virtual void run (const MemoryPiece &bins, std::span<const MemoryPiece> slices) = 0;
  virtual void wait () = 0; // for all of them
};

std::unique_ptr<Worker> opencl_slice_worker (std::unique_ptr<SliceKernels> kernels);

} // namespace sino::slice
