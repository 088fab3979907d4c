// SPDX-License-Identifier: LGPL-3.0-or-later
// Arguments of kernels, and their launch.
#pragma once
#include "device/opencl.hpp"
#include <type_traits>

namespace sino::opencl {

// An integer of 64 bits; others are passed as int.
struct Long {
  cl_long value;
};

// Sets the arguments of a kernel, beginning with argument `index`.
template <class... Values> void set (cl::Kernel &kernel, cl_uint index, const Values &...values)
{
  const auto one = [&] (const auto &value) {
    if constexpr (std::is_integral_v<std::decay_t<decltype (value)>>)
      kernel.setArg (index++, static_cast<cl_int> (value));
    else
      kernel.setArg (index++, value);
  };
  (one (values), ...);
}

// Enqueues a kernel over all these work-items, in groups. Returns its end.
inline cl::Event launch (const cl::CommandQueue &queue, const cl::Kernel &kernel, const cl::NDRange &items,
                         const cl::NDRange &group)
{
  cl::Event event;
  queue.enqueueNDRangeKernel (kernel, cl::NullRange, items, group, nullptr, &event);
  return event;
}

} // namespace sino::opencl
