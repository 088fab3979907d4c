// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels over the lines of a block. Work-item (x, y) makes value x of line y; some work-items are beyond the last
// value.
#pragma once
#include "families/program.hpp"
#include "filters/opencl/arguments.hpp"
#include "filters/point/block-lines.hpp"
#include "stream/rows.hpp"

namespace sino::point {

// The argument of a kernel for the lines of a block; must match the structure in kernels/point/block-lines.cl.
struct LinesThere {
  cl_int width, angles, angle_step, places, place_step, lanes, last_lanes;
};
LinesThere there (const BlockLines &lines);

class OpenclLines
{
public:
  // The kernel is the one with the name of the family, of a description as value_kernel () gives it.
  OpenclLines (const OpenclDevice &device, const families::Family &family, const families::Setting &setting,
               const families::Problem &problem);

  // A kernel of a program with several.
  OpenclLines (const OpenclDevice &device, const cl::Program &program, const char *name, size_t group);

  template <class... T> void take (const T &...values) { opencl::set (kernel, 0, values...); }

  struct Span { // NOLINT(bugprone-exception-escape): assignment in the bindings throws where a handle is none
    cl::Event first, last;
  };
  // Enqueues without waiting, in launches that all drivers accept. One thread at a time. There is at least one line.
  Span enqueue (const cl::CommandQueue &queue, int64_t width, Interval lines) const;
  Span enqueue (const cl::CommandQueue &queue, const BlockLines &lines) const
  {
    return enqueue (queue, lines.width, {0, lines.count ()});
  }

private:
  const size_t group; // work-items
  cl::Kernel kernel;
};

} // namespace sino::point
