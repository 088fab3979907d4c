// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/pictures/contrast.hpp"
#include <algorithm>
#include <bit>
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
  return contrast (values);
}

namespace {

constexpr int half = 16; // bits of a key that are counted at once
using Counts = std::vector<size_t>;

// Greater values have greater keys.
uint32_t key_of (float value)
{
  const auto bits = std::bit_cast<uint32_t> (value);
  return bits >> 31 ? ~bits : bits | uint32_t{1} << 31;
}

float value_of (uint32_t key)
{
  return std::bit_cast<float> (key >> 31 ? key & ~(uint32_t{1} << 31) : ~key);
}

// The place among the counts where the value of this rank is; `rank` becomes its rank at this place.
uint32_t place_of (const Counts &counts, size_t &rank)
{
  size_t place = 0;
  for (; counts[place] <= rank; place++)
    rank -= counts[place];
  return static_cast<uint32_t> (place);
}

// The value of this rank, by the first bits of keys and then by the other ones. `firsts`: how often first bits occur.
float ranked (const std::vector<float> &values, const Counts &firsts, size_t rank)
{
  const auto first = place_of (firsts, rank);
  Counts counts (size_t{1} << half);
  for (const auto value : values)
    if (const auto key = key_of (value); key >> half == first)
      counts[key & ((1 << half) - 1)]++;
  return value_of (first << half | place_of (counts, rank));
}

} // namespace

std::pair<float, float> contrast (const std::vector<float> &values)
{
  if (values.empty ())
    return {0, 1};
  Counts firsts (size_t{1} << half);
  for (const auto value : values)
    firsts[key_of (value) >> half]++;
  const auto quantile = [&] (double part) {
    return ranked (values, firsts, static_cast<size_t> (std::lround (part * static_cast<double> (values.size () - 1))));
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
    constexpr double whole = int64_t{1} << 52; // a sum with it is rounded to an integer
    const auto level = (value - black) / (white - black) * greatest;
    return static_cast<uint16_t> ((level > 0 ? std::min (level, greatest) : 0) + whole -
                                  whole); // NaN is not > 0 and becomes 0
  });
  return out;
}

} // namespace sino::files
