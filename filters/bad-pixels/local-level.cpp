// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/bad-pixels/local-level.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino::bad_pixels {

float ranked (float *values, int64_t count, int64_t (*place) (int64_t numbers))
{
  auto *const end = std::remove_if (values, values + count, [] (float value) { return !std::isfinite (value); });
  if (end == values)
    return std::numeric_limits<float>::quiet_NaN ();
  auto *const wanted = values + place (end - values);
  std::nth_element (values, wanted, end);
  return *wanted;
}

// The median; of two middle values the lower one.
static float median_of (float *values, int64_t count)
{
  return ranked (values, count, [] (int64_t numbers) { return (numbers - 1) / 2; });
}

// Medians along one axis, whose neighbours are `step` values apart in memory.
static std::vector<float> medians (const std::vector<float> &image, int64_t width, int64_t height, bool columns,
                                   const Cpu &cpu)
{
  std::vector<float> result (image.size ());
  const int64_t step = columns ? 1 : width, extent = columns ? width : height;
  cpu.parallel (height, std::max<int64_t> (4096 / width, 1), [&] (int64_t begin, int64_t end) {
    float near[2 * local_reach + 1];
    for (auto row = begin; row < end; row++)
      for (int64_t column = 0; column < width; column++) {
        const auto place = columns ? column : row, at = row * width + column;
        const auto first = std::max<int64_t> (-place, -local_reach), last = std::min (extent - 1 - place, local_reach);
        for (auto n = first; n <= last; n++)
          near[n - first] = image[static_cast<size_t> (at + n * step)];
        result[static_cast<size_t> (at)] = median_of (near, last - first + 1);
      }
  });
  return result;
}

std::vector<float> local_level (const std::vector<float> &image, int64_t width, int64_t height, const Cpu &cpu)
{
  return medians (medians (image, width, height, true, cpu), width, height, false, cpu);
}

} // namespace sino::bad_pixels
