// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/opencl-worker.hpp"
#include <algorithm>

namespace sino::slice {

namespace {

class OpenclSliceWorker final : public SliceWorker
{
public:
  explicit OpenclSliceWorker (std::unique_ptr<SliceKernels> k) : kernels (std::move (k)) {}
  void wait () override { kernels->wait (); }
  void end () override { kernels->end (); }

protected:
  void reconstruct (const Block &in, size_t offset, std::span<const Slice> group) override
  {
    if (std::ranges::none_of (group, [] (const Slice &slice) { return slice.block; }))
      return;
    std::vector<MemoryPiece> places;
    for (const auto &slice : group)
      places.push_back (slice.block ? MemoryPiece (*slice.block, slice.offset) : MemoryPiece (nullptr));
    kernels->look_at (in.format (), rows_of (in, offset, 0, std::ssize (group)));
    kernels->run ({in, offset}, places);
  }

private:
  std::unique_ptr<SliceKernels> kernels;
};

} // namespace

std::unique_ptr<Worker> opencl_slice_worker (std::unique_ptr<SliceKernels> kernels)
{
  return std::make_unique<OpenclSliceWorker> (std::move (kernels));
}

} // namespace sino::slice
