// SPDX-License-Identifier: LGPL-3.0-or-later
// Several frames become one.
#pragma once
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <cstddef>
#include <vector>

namespace sino::kernels {

enum class Reduce { mean, median };

// Takes frames in order and gives their mean, summed in double, or their median (of an even number the mean of the
// middle two). Each pixel is worked on by itself.
class Reducer
{
public:
  Reducer (Reduce how, Element element, int64_t count, int64_t pixels, const Cpu &cpu);

  std::byte *place (int64_t frame); // to be filled with the next frame,
  void add (int64_t frame);         // which then counts
  void finish (float *out) const;

  // Bytes that one takes per pixel.
  static size_t bytes_per_pixel (Reduce how, Element element, int64_t count);

private:
  Reduce how;
  Element element;
  int64_t count, pixels;
  const Cpu &cpu;
  std::vector<std::byte> frames; // one, or all for the median
  std::vector<double> sums;
};

} // namespace sino::kernels
