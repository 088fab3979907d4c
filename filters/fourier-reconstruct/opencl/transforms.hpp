// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/opencl-fft.hpp"
#include "filters/fourier-reconstruct/opencl/plan.hpp"

namespace sino::fourier_reconstruct {

// The transforms of a batch of lines, in place; put in a queue. What is not a line may be transformed,
// too.
class LineTransforms
{
public:
  virtual ~LineTransforms () = default;
  virtual void rows (const cl::CommandQueue &queue,
                     const cl::Buffer &lines) = 0; // [batches.rays][pairs][padded], forward
  virtual void grid (const cl::CommandQueue &queue,
                     const cl::Buffer &lines) = 0; // [pairs][batches.columns][grid], backward
};

// Transforms by clFFT.
std::unique_ptr<LineTransforms> line_transforms (const OpenclDevice &device, const OpenclPlan &plan,
                                                 const Batches &batches, Allotment &allotment);

} // namespace sino::fourier_reconstruct
