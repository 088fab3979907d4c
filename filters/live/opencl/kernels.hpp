// SPDX-License-Identifier: LGPL-3.0-or-later
// The kernels of live.cl.
#pragma once
#include "families/program.hpp"
#include "kernels/live/plane.hpp"

namespace sino::live {

// As live.cl has them.
struct KernelSight {
  cl_long first, right, down;
  cl_ulong place;
  cl_float factor, none;
};
struct KernelLine {
  cl_int above;
  cl_float share;
};

// `place`: of the first value of the projection in its buffer.
KernelSight kernel_sight (const Sight &sight, const Plane &plane, int64_t place);
std::vector<KernelLine> kernel_lines (const Projections &projections, const Plane &plane);

class Kernels
{
public:
  // Builds them. Throws Error, or cl::Error.
  Kernels (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

  // All enqueue, without waiting.
  struct Rows {
    int64_t rows, bin; // rows of a projection that come, and how many of them are averaged
  };
  // Averages rows of `count` projections, from value `first` on.
  cl::Event average (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t first, Rows rows,
                     const Projections &kept, int64_t count, const cl::Buffer &out);
  // Fills holes of `count` rows.
  cl::Event fill (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t columns, int64_t count,
                  const cl::Buffer &out);
  // Sizes of the values of `count` rows.
  cl::Event sizes (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t columns, int64_t count,
                   const cl::Buffer &out);
  // Keeps projection `number` of `in`, times `weight`, at `place`.
  cl::Event keep (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t number, const Projections &kept,
                  int64_t place, float weight, const cl::Buffer &values, const cl::Buffer &overflown);
  // Adds `count` projections to a picture.
  cl::Event add (const cl::CommandQueue &queue, const Projections &kept, const cl::Buffer &values,
                 const cl::Buffer &sights, int64_t count, const cl::Buffer &lines, const Plane &plane,
                 const cl::Buffer &picture);

private:
  const families::Shape shape;
  cl::Kernel averages, fills, all_sizes, keeps, adds;

  cl::Event launch (const cl::CommandQueue &queue, const cl::Kernel &kernel, int64_t columns, int64_t lines) const;
};

} // namespace sino::live
