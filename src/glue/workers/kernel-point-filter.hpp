// SPDX-License-Identifier: LGPL-3.0-or-later
// A point filter in one file: its computation on the CPU, and OpenCL kernels that do the same, with this signature:
//
//   kernel void NAME (global const IN *in, ulong values, global OUT *out, ...)
//
// NAME is that of the node, or any name if the source has no other kernel. Arguments of the filter follow at the end.
// There are at least as many work-items as values, divided by the values per work-item.
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
  // The Use (families/use.hpp) of this task, with the family that point_family () returns.
  const families::Use *kernels () const override = 0;

  // Computes on the CPU. `out` has the region of `in`.
  virtual void process (const Cpu &cpu, const Block &in, Block &out) const = 0;
  // Sets the kernel arguments of the filter itself; `first` is the number of the first one.
  virtual void set_arguments (cl::Kernel & /*kernel*/, unsigned /*first*/) const {}

  std::unique_ptr<Worker> start (const Replica &replica) final;
};

// A kernel whose work-items process `values` values each; its only parameter GROUP is the work-group size.
SINO_VISIBLE families::Kernel point_kernel (const char *name, const char *summary, const families::KernelSource &source,
                                            int values = 1);

// The error of a kernel on noise, relative to the task's result on the CPU.
SINO_VISIBLE double point_trial (KernelPointFilter &task, const OpenclDevice &device, const families::Setting &setting,
                                 const families::Problem &problem);

// The family of a node T that takes f32 values; kernels are tried with default properties.
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
