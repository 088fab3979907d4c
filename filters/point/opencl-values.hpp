// SPDX-License-Identifier: LGPL-3.0-or-later
// The counterpart of ValueWorker with one input, on OpenCL devices. Its kernels are called as
//
//   kernel void NAME (global const IN *in, ulong values, ulong full, int lanes, int rows, global OUT *out,
//                     global uint *limited, ...)
//
// after the node, with arguments of its own at the end (kernels/rescale/rescale.cl).
#pragma once
#include "families/counter.hpp"
#include "families/program.hpp"
#include "filters/opencl/arguments.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <functional>

namespace sino::point {

// A kernel of this form with a parameter GROUP. (Groups of 256 are 1.3 to 1.8 times as fast as groups of 64 on an
// H100.)
families::Kernel value_kernel (const families::KernelSource &source);

// Processes blocks in the memory of a device.
class OpenclValues
{
public:
  OpenclValues (const OpenclDevice &device, const families::Family &family, const families::Setting &setting,
                const families::Problem &problem);

  // Sets the kernel's own arguments, from number own_arguments on; enqueue () sets those before.
  template <class... T> void take (const T &...values) { opencl::set (kernel, own_arguments, values...); }
  // `in` and `out` have the layout of the block. Enqueues without waiting. One thread at a time.
  cl::Event enqueue (const cl::CommandQueue &queue, const Block &layout, const cl::Buffer &in, const cl::Buffer &out);
  // Number of limited values since the last call. Waits for the queue.
  int64_t limited (const cl::CommandQueue &queue) { return limited_.take (queue); }

private:
  static constexpr unsigned own_arguments = 7;
  const OpenclDevice &device;
  families::KernelCounter limited_;
  const size_t group; // work-items
  cl::Kernel kernel;
};

// Worker on a replica's device. Calls `tell` when all is done, with the number of limited values and of all values.
class OpenclValueWorker final : public OpenclPointWorker
{
public:
  using Tell = std::function<void (int64_t limited, int64_t values)>;

  OpenclValueWorker (const Replica &replica, const families::Family &family, const families::Setting &setting,
                     const families::Problem &problem, Tell tell);

  OpenclValues values; // set the kernel's own arguments before blocks come

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) override;
  void count () override;

private:
  const Tell tell;
  int64_t uncounted = 0; // number of values whose limited ones are not yet counted
};

// For trials: returns the error of the kernel, compared with `native`, which computes a single value and returns the
// number of limited ones. Compares padding lanes, too. A wrong number of limited values is an error of 1. For integers,
// the error is the share of wrong bytes. Floats in the input include NaN and infinity.
double value_error (const OpenclDevice &device, OpenclValues &values, Element from, Element to,
                    const std::function<int64_t (const float *value, std::byte *out)> &native);

} // namespace sino::point
