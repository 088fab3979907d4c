// SPDX-License-Identifier: LGPL-3.0-or-later
// Arguments and sizes of launches.
#pragma once
#include "device/opencl.hpp"
#include <type_traits>

namespace sino::fourier_reconstruct {

// Sets kernel arguments from `index` on. Integers are passed as int.
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

// Number of work-items, rounded up to whole groups.
inline size_t groups (int64_t items, size_t group)
{
  return round_up (static_cast<size_t> (items), group);
}

} // namespace sino::fourier_reconstruct
