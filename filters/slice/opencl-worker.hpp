// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of nodes that compute slices with OpenCL kernels.
#pragma once
#include "filters/slice/opencl-frames.hpp"
#include "filters/slice/worker.hpp"

namespace sino::slice {

class SliceKernels
{
public:
  virtual ~SliceKernels () = default;
  // Before run (): the format of the sinograms, and their rows in the stream.
  virtual void look_at (const Format & /*sinograms*/, const std::vector<int64_t> & /*rows*/) {}
  // Fills the slices of one group of lanes, dense, one for each row of the group. Slices without a place may be
  // skipped. Does not wait for slices in shared memory. Throws Error, or Cancelled.
  virtual void run (const MemoryPiece &bins, std::span<const MemoryPiece> slices) = 0;
  virtual void wait () = 0; // waits for all slices
  virtual void end () {}    // after the last work item
};

std::unique_ptr<Worker> opencl_slice_worker (std::unique_ptr<SliceKernels> kernels);

} // namespace sino::slice
