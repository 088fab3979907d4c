// SPDX-License-Identifier: LGPL-3.0-or-later
// Tries whether a kernel works on a device: drivers also advertise features that do not work.
#pragma once
#include "families/findings.hpp"
#include "families/kernels.hpp"
#include <cmath>
#include <span>

namespace cl {
class Buffer;
class CommandQueue;
} // namespace cl

namespace sino::families {

// Value of a trial in [-1, 1), by its number.
inline float noise (int64_t number)
{
  return static_cast<float> (static_cast<uint32_t> (number + 1) * 2654435761u >> 8) / (1 << 23) - 1;
}

// Fills `out` with what the commands give for the bytes `in`.
using Enqueue = std::function<void (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &out)>;
SINO_VISIBLE void compute (const OpenclDevice &device, std::span<const std::byte> in, std::span<std::byte> out,
                           const Enqueue &enqueue);

// The share of bytes in which two lists differ, for trials of kernels whose results must be exact.
inline double share_different (std::span<const std::byte> values, std::span<const std::byte> truth)
{
  size_t different = 0;
  for (size_t i = 0; i < truth.size (); i++)
    different += values[i] != truth[i];
  return static_cast<double> (different) / static_cast<double> (truth.size ());
}

// Root mean square difference divided by the root mean square of the truth, unless that is 0.
class RelativeError
{
public:
  void add (double got, double truth)
  {
    differences += (got - truth) * (got - truth);
    squares += truth * truth;
  }
  double value () const { return std::sqrt (squares > 0 ? differences / squares : differences); }

private:
  double differences = 0, squares = 0;
};

// Lets the kernel solve a small problem with a known solution, once for each device, driver and source; after a failure
// once more. The text is the failure, "" if the kernel works. A wrong result or a failed build is stored; failures that
// may not last, such as a lack of memory, are not.
SINO_VISIBLE Finding trial (const OpenclDevice &device, const Family &family, const Setting &setting,
                            const Problem &problem);

} // namespace sino::families
