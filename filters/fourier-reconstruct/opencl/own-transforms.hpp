// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/line-plan.hpp"
#include "filters/fourier-reconstruct/opencl/line-transforms.hpp"

namespace sino::fourier_reconstruct {

// Transforms with transform.cl, which crops and stores in the same launch.
class OwnTransforms final : public LineTransforms
{
public:
  OwnTransforms (const OpenclDevice &device, const OpenclPlan &plan, const Batches &batches, Allotment &allotment);

  void rows (const cl::CommandQueue &queue, const cl::Buffer &lines) override;
  void columns (Stages &stages, const Part &columns) override;
  cl::Event slices (Stages &stages, const Part &rows, int lane, int slices, const cl::Buffer &out) override;

private:
  const OpenclDevice &device;
  const OpenclPlan &plan;
  const Batches batches;
  const LinePlan of_rows, of_grid;
  cl::Kernel rows_, columns_, slices_;
  cl::Buffer row_turns, grid_turns;
};

} // namespace sino::fourier_reconstruct
