// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/fourier-reconstruct/opencl/stages.hpp"

namespace sino::fourier_reconstruct {

// The transforms of a batch of lines, put in a queue: that of the stages, or one that is given.
class LineTransforms
{
public:
  virtual ~LineTransforms () = default;
  // [batches.rays][pairs][padded], forward and in place; what is not a line may be transformed, too.
  virtual void rows (const cl::CommandQueue &queue, const cl::Buffer &lines) = 0;
  // Of stages.lines (), [pairs][batches.columns][grid], backward: columns of the grid, which are cropped, and rows,
  // which are stored.
  virtual void columns (Stages &stages, const Part &columns) = 0;
  virtual cl::Event slices (Stages &stages, const Part &rows, int lane, int slices, const cl::Buffer &out) = 0;
};

// One after the other.
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
