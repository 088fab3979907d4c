// SPDX-License-Identifier: LGPL-3.0-or-later
// OpenCL kernels of neighbourhood filters, with this signature:
//
//   kernel void NAME (global const IN *block, global const IN *kept, Neighbours n, global OUT *out, ...)
//
// NAME is that of the node; arguments of the filter follow at the end; one work-item per value.
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
  // Sets the kernel arguments of the filter itself, which begin at number 4.
  std::function<void (cl::Kernel &)> set_arguments;
};

std::unique_ptr<Worker> opencl_neighbours (const Replica &replica, Reach reach, const NeighbourKernel &kernel);

} // namespace sino
