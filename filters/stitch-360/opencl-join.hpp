// SPDX-License-Identifier: LGPL-3.0-or-later
// Joins lines in the memory of an OpenCL device.
#pragma once
#include "device/opencl-memory.hpp"
#include "filters/point/opencl-lines.hpp"
#include "filters/stitch-360/join.hpp"

namespace sino::stitch_360 {

const families::Family &family ();

// Places of an input line and of an output line, in values; must match the structure in
// kernels/stitch-360/stitch-360.cl.
struct Line {
  cl_ulong from, to;
};

class OpenclJoin
{
public:
  static void memory (const Join &join, Bill &bill);

  // `alone`: see Join::Loops.
  OpenclJoin (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem,
              Allotment &memory, const Join &join, bool alone);

  // Fills lines of the output, or adds mirror images to them: entries `some` of a list in the device's memory. Lines
  // have `lanes` lanes. Enqueues without waiting. One thread at a time.
  using Span = point::OpenclLines::Span;
  Span fill (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &list, Interval some, int64_t lanes,
             const cl::Buffer &out);
  Span add_mirrored (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &list, Interval some,
                     int64_t lanes, const cl::Buffer &out);

private:
  const Join join;
  const cl::Program program;
  const size_t group; // work-items
  point::OpenclLines direct, mirror;
  const cl::Buffer direct_weights, mirror_weights, parts;
};

} // namespace sino::stitch_360
