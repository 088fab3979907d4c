// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/transforms.hpp"
#include "device/opencl-fft.hpp"
#include "device/opencl-memory.hpp"
#include "filters/fourier-reconstruct/opencl/own-transforms.hpp"

namespace sino::fourier_reconstruct {

namespace {

class ClfftTransforms final : public PlainTransforms
{
public:
  ClfftTransforms (const OpenclDevice &device, const OpenclPlan &plan, const Batches &batches, Allotment &allotment)
      : of_rows (device, plan.gridding.padded, batches.rays * batches.slices / 2),
        of_grid (device, plan.gridding.grid, batches.columns * batches.slices / 2)
  {
    if (const auto bytes = std::max (of_rows.scratch (), of_grid.scratch ()); bytes > 0)
      device.attempt ([&] {
        scratch = take_buffer (device, allotment, buffers::scratch);
        require (scratch, bytes, buffers::scratch);
      });
  }

  void rows (const cl::CommandQueue &queue, const cl::Buffer &lines) override
  {
    of_rows.forward (queue, lines, scratch);
  }
  void grid (const cl::CommandQueue &queue, const cl::Buffer &lines) override
  {
    of_grid.backward (queue, lines, scratch);
  }

private:
  const OpenclFft of_rows, of_grid;
  cl::Buffer scratch;
};

} // namespace

std::unique_ptr<LineTransforms> line_transforms (const OpenclDevice &device, const OpenclPlan &plan,
                                                 const Batches &batches, Allotment &allotment)
{
  if (batches.transforms == Transforms::own)
    return std::make_unique<OwnTransforms> (device, plan, batches, allotment);
  return std::make_unique<ClfftTransforms> (device, plan, batches, allotment);
}

} // namespace sino::fourier_reconstruct
