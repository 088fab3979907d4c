// SPDX-License-Identifier: LGPL-3.0-or-later
// OpenCL kernels of neighbourhood filters. They are called as
//
//   kernel void NAME (global const IN *block, global const IN *kept, Neighbours n, global OUT *out, ...)
//
// after the node, with arguments of its own at the end, a work-item for each value. kernels/neighbours/neighbours.cl
// says what Neighbours is, and finds the lines.
#pragma once
#include "glue/workers/neighbour-worker.hpp"
#include <functional>

namespace cl {
class Kernel;
}

namespace sino {

// What runs on a device.
struct NeighbourKernel {
  const families::Family &family;
  const families::Setting &setting;
  const families::Problem &problem;
  std::function<void (cl::Kernel &)> set_arguments; // the kernel's own, from number 4 on
};

std::unique_ptr<Worker> opencl_neighbours (const Replica &replica, Reach reach, const NeighbourKernel &kernel);

} // namespace sino
