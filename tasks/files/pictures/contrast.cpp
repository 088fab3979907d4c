// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/pictures/contrast.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

// Compares squares of twice the distance from the middle, which are integers.
static bool outside (int64_t line, int64_t column, int64_t lines, int64_t columns)
{
  const auto y = 2 * line + 1 - lines, x = 2 * column + 1 - columns, size = std::min (lines, columns);
  return x * x + y * y > size * size;
}

void add_counting (std::vector<float> &values, const std::vector<float> &image, int64_t lines, int64_t columns,
                   bool slice)
{
  values.reserve (values.size () + image.size ());
  for (int64_t line = 0; line < lines; line++)
    for (int64_t column = 0; column < columns; column++) {
      const auto value = image[static_cast<size_t> (line * columns + column)];
      if (std::isfinite (value) && !(slice && value == 0 && outside (line, column, lines, columns)))
        values.push_back (value);
    }
}

std::pair<float, float> contrast (const std::vector<float> &image, int64_t lines, int64_t columns, bool slice)
{
  std::vector<float> values;
  add_counting (values, image, lines, columns, slice);
  return contrast (std::move (values));
}

std::pair<float, float> contrast (std::vector<float> values)
{
  if (values.empty ())
    return {0, 1};
  const auto quantile = [&values] (double part) {
    const auto place = values.begin () + std::lround (part * static_cast<double> (values.size () - 1));
    std::nth_element (values.begin (), place, values.end ());
    return *place;
  };
  const auto black = quantile (0.001), white = quantile (0.999);
  return {black, white > black ? white : black + 1};
}

std::pair<double, double> limits (std::pair<float, float> found, std::optional<double> black,
                                  std::optional<double> white)
{
  // If only one limit is given, the computed one may lie on its wrong side.
  const double low = black.value_or (found.first), high = white.value_or (found.second);
  return {low, high > low ? high : low + 1};
}

std::vector<uint16_t> grey (const std::vector<float> &image, double black, double white, int bits)
{
  const double greatest = (1 << bits) - 1;
  std::vector<uint16_t> out (image.size ());
  std::transform (image.begin (), image.end (), out.begin (), [&] (float value) {
    const auto level = (value - black) / (white - black) * greatest;
    return static_cast<uint16_t> (
        std::nearbyint (level > 0 ? std::min (level, greatest) : 0)); // NaN is not > 0 and becomes 0
  });
  return out;
}

} // namespace sino::files
