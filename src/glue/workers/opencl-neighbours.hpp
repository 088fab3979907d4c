// SPDX-License-Identifier: LGPL-3.0-or-later
// OpenCL kernels of neighbourhood filters, with this signature:
//
//   kernel void NAME (global const IN *block, global const IN *kept, Neighbours n, global OUT *out, ...)
//
// NAME is that of the node; arguments of the filter follow at the end; one work-item per value. For filters that count,
// the first of these is a counter, as kernels/point/values.cl adds to it.
// kernels/neighbours/neighbours.cl defines Neighbours and finds the lines.
#pragma once
#include "glue/workers/neighbour-worker.hpp"
#include <functional>

namespace cl {
class Kernel;
}

namespace sino {

// Kernel and settings on a device.
struct NeighbourKernel {
  const families::Family &family;
  const families::Setting &setting;
  const families::Problem &problem;
  // Sets the kernel arguments of the filter itself, beginning with this number.
  std::function<void (cl::Kernel &, unsigned first)> set_arguments;
  // Takes what the kernel has counted; null: it does not count.
  std::function<void (int64_t)> take_count;
};

std::unique_ptr<Worker> opencl_neighbours (const Replica &replica, Reach reach, const NeighbourKernel &kernel);

} // namespace sino
