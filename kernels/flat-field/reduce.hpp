// SPDX-License-Identifier: LGPL-3.0-or-later
// Several frames become one.
#pragma once
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <cstddef>
#include <limits>
#include <vector>

namespace sino::flat_field {

enum class Reduce { mean, median };

// Takes frames in order and gives their mean, summed in double, or their median (of an even number the mean of the
// middle two). Each pixel is worked on by itself. What is not below `top` is left out; where it is more than half of a
// pixel's values, there is no number.
class Reducer
{
public:
  Reducer (Reduce how, Element element, int64_t pixels, const Cpu &cpu,
           float top = std::numeric_limits<float>::infinity ());

  // The median needs all frames at once: they have to stay where they are until it is finished.
  void add (const std::byte *frame);
  void finish (float *out) const;

  // Bytes that one takes per pixel.
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
  std::vector<double> sums;              // sums for the mean
  std::vector<uint32_t> left_out;        // values that are not in them
  std::vector<const std::byte *> frames; // frames for the median
};

} // namespace sino::flat_field
