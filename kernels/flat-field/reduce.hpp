// SPDX-License-Identifier: LGPL-3.0-or-later
// Reduces several frames to one.
#pragma once
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <cstddef>
#include <limits>
#include <vector>

namespace sino::flat_field {

enum class Reduce { mean, median };

// Takes frames in order and computes their mean, summed in double, or their median (of an even number: the mean of the
// middle two). Pixels are independent. Values that are NaN or at least `top` are left out; if they are more than half
// of a pixel's values, the result is NaN.
class Reducer
{
public:
  Reducer (Reduce how, Element element, int64_t pixels, const Cpu &cpu,
           float top = std::numeric_limits<float>::infinity ());

  // Adds a frame. For the median, frames must stay in memory until finish ().
  void add (const std::byte *frame);
  void finish (float *out) const;

  // Bytes of a Reducer per pixel.
  static constexpr size_t bytes_per_pixel (Reduce how)
  {
    return how == Reduce::mean ? sizeof (double) + sizeof (uint32_t) : 0;
  }

private:
  Reduce how;
  Element element;
  int64_t pixels;
  const Cpu &cpu;
  float top;
  int64_t count = 0;
  std::vector<double> sums;              // for the mean: sum of each pixel
  std::vector<uint32_t> left_out;        // number of values left out of `sums`
  std::vector<const std::byte *> frames; // for the median: all frames
};

} // namespace sino::flat_field
