// SPDX-License-Identifier: LGPL-3.0-or-later
// What the kernels of all methods have in common: a few groups of a block that are computed together, and launches.
#pragma once
#include "filters/opencl/arguments.hpp"

namespace sino::remove_stripes {

// Same as in keys.cl.
struct Stack {
  cl_int angles, columns, lanes, groups;
};

struct Batch {
  Stack stack;
  opencl::Long first; // value of the block
  bool bridged;       // has bridges over dead columns
  const cl::Buffer &in, &out, &bridges;

  size_t columns () const { return static_cast<size_t> (stack.columns) * static_cast<size_t> (stack.groups); }
  size_t groups () const { return static_cast<size_t> (stack.groups); }
  size_t sinograms () const { return groups () * static_cast<size_t> (stack.lanes); }
};

constexpr size_t narrow = 64; // work-items of groups that need not be larger

inline size_t in_groups (int64_t n, size_t group)
{
  return round_up (static_cast<size_t> (n), group);
}

// Launches kernels of a block in order.
class Launches
{
public:
  explicit Launches (const cl::CommandQueue &q) : queue (q) {}

  const cl::CommandQueue &queue;
  cl::Event first, last;

  void run (const cl::Kernel &kernel, const cl::NDRange &all, const cl::NDRange &group)
  {
    last = opencl::launch (queue, kernel, all, group);
    if (!first ())
      first = last;
  }
  // Columns of lines, some of the angles, and groups; work-items take the other angles in turn.
  void run_lines (const cl::Kernel &kernel, const Stack &stack)
  {
    constexpr cl_int at_once = 4096;
    run (kernel,
         {in_groups (stack.columns, narrow), static_cast<size_t> (std::min (stack.angles, at_once)),
          static_cast<size_t> (stack.groups)},
         {narrow, 1, 1});
  }
};

} // namespace sino::remove_stripes
