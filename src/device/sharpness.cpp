// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/sharpness.hpp"
#include <algorithm>
#include <cmath>

namespace sino {

namespace {

constexpr int64_t reach = 3; // pixels on each side that the gradient depends on
constexpr double share = 0.95;

// The binomial filter, and its product with the difference of both neighbours.
constexpr float smooth[] = {0, 1 / 16.0F, 4 / 16.0F, 6 / 16.0F, 4 / 16.0F, 1 / 16.0F, 0};
constexpr float slope[] = {-1 / 32.0F, -4 / 32.0F, -5 / 32.0F, 0, 5 / 32.0F, 4 / 32.0F, 1 / 32.0F};

void filter (const float *middle, int64_t step, const float *weights, int64_t n, float *out)
{
  for (int64_t i = 0; i < n; i++) {
    float sum = 0;
    for (int64_t k = -reach; k <= reach; k++)
      sum += weights[k + reach] * middle[i + k * step];
    out[i] = sum;
  }
}

struct Sums {
  double magnitudes = 0, squares = 0;
  int64_t pixels = 0;
};

// Sums of the gradients in columns `begin` to `end` of a line. `lines`: two lines, smoothed and differenced across
// lines.
Sums sums_of (const float *line, int64_t columns, int64_t begin, int64_t end, float *lines)
{
  auto *smoothed = lines, *differences = lines + columns;
  filter (line, columns, smooth, columns, smoothed);
  filter (line, columns, slope, columns, differences);
  auto *across = lines + 2 * columns, *down = lines + 3 * columns;
  filter (smoothed + begin, 1, slope, end - begin, across);
  filter (differences + begin, 1, smooth, end - begin, down);
  Sums sums;
  for (int64_t i = 0; i < end - begin; i++) {
    const float square = across[i] * across[i] + down[i] * down[i];
    sums.squares += static_cast<double> (square);
    sums.magnitudes += static_cast<double> (std::sqrt (square));
  }
  sums.pixels = end - begin;
  return sums;
}

} // namespace

size_t sharpness_scratch (int64_t columns)
{
  return 4 * static_cast<size_t> (columns) * sizeof (float);
}

double slice_sharpness (const float *slice, int64_t lines, int64_t columns, const Cpu &cpu)
{
  if (std::min (lines, columns) <= 2 * reach)
    return 0;
  const double radius = share * 0.5 * static_cast<double> (std::min (lines, columns));
  const double middle = 0.5 * static_cast<double> (columns);
  std::vector<Sums> each (static_cast<size_t> (lines));
  cpu.parallel (lines - 2 * reach, 16, [&] (int64_t first, int64_t last) {
    std::vector<float> buffer (static_cast<size_t> (4 * columns));
    for (auto l = first + reach; l < last + reach; l++) {
      const double off = static_cast<double> (l) + 0.5 - 0.5 * static_cast<double> (lines);
      if (std::abs (off) >= radius)
        continue;
      const double half = std::sqrt (radius * radius - off * off);
      const auto begin = std::max (static_cast<int64_t> (std::ceil (middle - half - 0.5)), reach);
      const auto end = std::min (static_cast<int64_t> (std::floor (middle + half - 0.5)) + 1, columns - reach);
      if (begin < end)
        each[static_cast<size_t> (l)] = sums_of (slice + l * columns, columns, begin, end, buffer.data ());
    }
  });
  Sums all; // adds in the order of lines, so that the result does not depend on threads
  for (const auto &sums : each) {
    all.magnitudes += sums.magnitudes;
    all.squares += sums.squares;
    all.pixels += sums.pixels;
  }
  const double mean = all.magnitudes / static_cast<double> (std::max<int64_t> (all.pixels, 1));
  const double sharp = std::sqrt (all.squares / static_cast<double> (std::max<int64_t> (all.pixels, 1))) / mean;
  return mean > 0 && std::isfinite (sharp) ? sharp : 0;
}

Peak peak_of (const std::vector<double> &values)
{
  const auto place = static_cast<size_t> (std::ranges::max_element (values) - values.begin ());
  if (place == 0 || place + 1 >= values.size ())
    return {place, 0, false};
  // Peaks are sharper than parabolas, and steeper on one side; more neighbours reduce the effect.
  const auto around = [&] (int64_t i) { return values[place + static_cast<size_t> (i)] - values[place]; };
  const bool two = place >= 2 && place + 2 < values.size ();
  const double rise =
      two ? (2 * (around (2) - around (-2)) + around (1) - around (-1)) / 10 : (around (1) - around (-1)) / 2;
  const double bend =
      two ? (2 * (around (2) + around (-2)) - around (1) - around (-1)) / 14 : (around (1) + around (-1)) / 2;
  return {place, bend < 0 ? std::clamp (-0.5 * rise / bend, -1.0, 1.0) : 0, true};
}

} // namespace sino
