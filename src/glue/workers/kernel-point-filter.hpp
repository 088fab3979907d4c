// SPDX-License-Identifier: LGPL-3.0-or-later
// A point filter in one file: what it does to values on the CPU, and kernels that do the same on OpenCL devices. They
// are called as
//
//   kernel void NAME (global const IN *in, ulong values, global OUT *out, ...)
//
// after the node, or by any name where the source has no other kernel, with arguments of its own at the end, by at
// least as many work-items as there are values, over those that an item takes by itself.
#pragma once
#include "glue/shapes.hpp"
#include "glue/workers/kernel-properties.hpp"

namespace cl {
class Kernel;
}

namespace sino {

class SINO_VISIBLE KernelPointFilter : public PointFilter
{
public:
  // Its own Use of point_family ().
  const families::Use *kernels () const override = 0;

  // Computes on the CPU. `out` has the region of `in`.
  virtual void process (const Cpu &cpu, const Block &in, Block &out) const = 0;
  // Gives the kernel its own arguments, from that number on.
  virtual void set_arguments (cl::Kernel & /*kernel*/, unsigned /*first*/) const {}

  void memory (const Sizing &sizing, Bill &bill) const final;
  std::unique_ptr<Worker> start (const Replica &replica) final;
};

// A kernel each of whose work-items takes so many values; GROUP, its one parameter, is the size of groups.
SINO_VISIBLE families::Kernel point_kernel (const char *name, const char *summary, const families::KernelSource &source,
                                            int values = 1);

// The error of a kernel on noise, relative to what the task makes of it on the CPU.
SINO_VISIBLE double point_trial (KernelPointFilter &task, const OpenclDevice &device, const families::Setting &setting,
                                 const families::Problem &problem);

// The family of a node T that takes f32 values: tried with its usual properties.
template <class T> families::Family point_family (const char *name, const std::vector<families::Kernel> &kernels)
{
  return {.name = name,
          .kernels = kernels,
          .any_lanes = true,
          .takes_projections = true,
          .native_on_cpus = true,
          .usual = {1, 1000, {}},
          .trial =
              [] (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem) {
                T task;
                return point_trial (task, device, setting, problem);
              },
          .most_error = 1e-6};
}

} // namespace sino
