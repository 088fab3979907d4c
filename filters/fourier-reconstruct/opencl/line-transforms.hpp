// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/fourier-reconstruct/opencl/stages.hpp"

namespace sino::fourier_reconstruct {

// Enqueues the transforms of a batch of lines: on the queue of the stages, or on a given one.
class LineTransforms
{
public:
  virtual ~LineTransforms () = default;
  // Transforms [batches.rays][pairs][padded] forward, in place. Space that holds no line may be transformed, too.
  virtual void rows (const cl::CommandQueue &queue, const cl::Buffer &lines) = 0;
  // Transform stages.lines (), [pairs][batches.columns][grid], backward. columns (): the lines are columns of the grid,
  // which are then cropped. slices (): the lines are rows, which are then stored.
  virtual void columns (Stages &stages, const Part &columns) = 0;
  virtual cl::Event slices (Stages &stages, const Part &rows, int lane, int slices, const cl::Buffer &out) = 0;
};

// Transforms, and crops or stores, in separate launches.
class PlainTransforms : public LineTransforms
{
public:
  virtual void grid (const cl::CommandQueue &queue, const cl::Buffer &lines) = 0; // in place

  void columns (Stages &stages, const Part &columns) override
  {
    grid (stages.queue (), stages.lines ());
    stages.crop (columns);
  }
  cl::Event slices (Stages &stages, const Part &rows, int lane, int slices, const cl::Buffer &out) override
  {
    grid (stages.queue (), stages.lines ());
    return stages.store (rows, lane, slices, out);
  }
};

} // namespace sino::fourier_reconstruct
