// SPDX-License-Identifier: LGPL-3.0-or-later
// What ValueWorker is on the CPU, of one input, by kernels of a device that are called as
//
//   kernel void NAME (global const IN *in, ulong values, ulong full, int lanes, int rows, global OUT *out,
//                     global uint *limited, ...)
//
// after the node, with arguments of its own at the end (kernels/rescale/rescale.cl).
#pragma once
#include "families/counter.hpp"
#include "families/program.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <functional>

namespace sino::point {

// Such a kernel, with a parameter GROUP. (Groups of 256 make 1.3 to 1.8 times what those of 64 do on an H100.)
families::Kernel value_kernel (const families::KernelSource &source);

// Works on blocks that lie in the memory of a device.
class OpenclValues
{
public:
  OpenclValues (const OpenclDevice &device, const families::Family &family, const families::Setting &setting,
                const families::Problem &problem);

  // The arguments of its own, from the first on.
  template <class... T> void take (const T &...values)
  {
    unsigned number = own_arguments;
    (kernel.setArg (number++, values), ...);
  }
  // `in` and `out` have the layout of the block. Put in the queue, not waited for. One thread at a time.
  cl::Event enqueue (const cl::CommandQueue &queue, const Block &layout, const cl::Buffer &in, const cl::Buffer &out);
  int64_t limited (const cl::CommandQueue &queue) { return limited_.take (queue); } // values since the last call; waits

private:
  static constexpr unsigned own_arguments = 7;
  const OpenclDevice &device;
  families::KernelCounter limited_;
  const size_t group; // work-items
  cl::Kernel kernel;
};

// For a replica's device. `count` is told, when all is done, of so many values in all, how many were limited.
class OpenclValueWorker final : public OpenclPointWorker
{
public:
  using Count = std::function<void (int64_t limited, int64_t values)>;

  OpenclValueWorker (const Replica &replica, const families::Family &family, const families::Setting &setting,
                     const families::Problem &problem, Count count);
  ~OpenclValueWorker () override;

  OpenclValues values; // whose arguments have to be taken before blocks come
  void wait () override;

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) override;

private:
  const Count count;
  int64_t uncounted = 0; // values of which it is not known yet how many were limited

  void tell ();
};

// For a trial: the error against what `native` makes of single values, the padding of lanes included; that of wrong
// counting is 1. Errors of integers are the share of wrong ones. NaN and infinity are among floats that come in.
double value_error (const OpenclDevice &device, OpenclValues &values, Element from, Element to,
                    const std::function<int64_t (const float *value, std::byte *out)> &native);

} // namespace sino::point
