// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/flatness.hpp"
#include <algorithm>
#include <cmath>

namespace sino::beam_hardening {

namespace {

constexpr int border = 3;   // pixels near an edge, which the reconstruction blurs
constexpr int64_t cell = 6; // edge of a small square
constexpr double least_pixels = 200;

double combined (const Powers &values, std::span<const double> coefficients)
{
  double sum = 0;
  for (size_t k = 0; k < coefficients.size (); k++)
    sum += coefficients[k] * values[k];
  return sum;
}

bool in_field (int64_t x, int64_t y, int64_t size, double within)
{
  const double middle = 0.5 * static_cast<double> (size - 1);
  return std::hypot (static_cast<double> (x) - middle, static_cast<double> (y) - middle) <
         0.5 * static_cast<double> (size) - within;
}

// N. Otsu, IEEE Transactions on Systems, Man, and Cybernetics 9, 1979, 62.
float otsu (const std::vector<float> &image, int64_t size)
{
  constexpr int bins = 256;
  float least = INFINITY, most = -INFINITY;
  for (int64_t i = 0; i < size * size; i++)
    if (in_field (i % size, i / size, size, border)) {
      least = std::min (least, image[static_cast<size_t> (i)]);
      most = std::max (most, image[static_cast<size_t> (i)]);
    }
  if (!(least < most))
    return INFINITY;
  std::array<double, bins> counts{};
  const float scale = bins / (most - least);
  for (int64_t i = 0; i < size * size; i++)
    if (in_field (i % size, i / size, size, border))
      counts[static_cast<size_t> (std::min ((image[static_cast<size_t> (i)] - least) * scale, bins - 1.0F))]++;
  double all = 0, moment = 0, below = 0, moment_below = 0, best = 0;
  int place = 0;
  for (int i = 0; i < bins; i++) {
    all += counts[static_cast<size_t> (i)];
    moment += i * counts[static_cast<size_t> (i)];
  }
  for (int i = 0; i + 1 < bins; i++) {
    below += counts[static_cast<size_t> (i)];
    moment_below += i * counts[static_cast<size_t> (i)];
    if (below == 0 || below == all)
      continue;
    const double apart = moment_below / below - (moment - moment_below) / (all - below),
                 spread = below * (all - below) * apart * apart;
    if (spread > best) {
      best = spread;
      place = i;
    }
  }
  return least + static_cast<float> (place + 1) / scale;
}

// Distance of each pixel, in steps to neighbours, from the nearest pixel that is not as `wanted`.
std::vector<int> depths_of (const std::vector<bool> &object, bool wanted, int64_t size)
{
  std::vector<int> depth (object.size ());
  const auto at = [&] (int64_t x, int64_t y) {
    return x < 0 || y < 0 || x >= size || y >= size ? static_cast<int> (size)
                                                    : depth[static_cast<size_t> (y * size + x)];
  };
  for (int64_t i = 0; i < size * size; i++)
    depth[static_cast<size_t> (i)] = object[static_cast<size_t> (i)] == wanted
                                         ? std::min (at (i % size - 1, i / size), at (i % size, i / size - 1)) + 1
                                         : 0;
  for (auto i = size * size - 1; i >= 0; i--)
    depth[static_cast<size_t> (i)] = std::min (depth[static_cast<size_t> (i)],
                                               std::min (at (i % size + 1, i / size), at (i % size, i / size + 1)) + 1);
  return depth;
}

Powers values_at (const std::vector<float> &slices, int64_t i)
{
  Powers values{};
  for (size_t k = 0; k < powers; k++)
    values[k] = static_cast<double> (slices[static_cast<size_t> (i) * powers + k]);
  return values;
}

void add_to (Powers &sum, const Powers &values, double weight = 1)
{
  for (size_t k = 0; k < powers; k++)
    sum[k] += weight * values[k];
}

// The sums for an object: the pixels of `image` above a threshold.
Flatness sums_of (const std::vector<float> &slices, const std::vector<float> &image, int64_t size)
{
  const float threshold = otsu (image, size);
  std::vector<bool> object (image.size ());
  double cut = 0; // pixels
  for (int64_t i = 0; i < size * size; i++)
    if (in_field (i % size, i / size, size, 0) && image[static_cast<size_t> (i)] > threshold) {
      object[static_cast<size_t> (i)] = true;
      cut += !in_field (i % size, i / size, size, 2 * border);
    }
  const auto inner = depths_of (object, true, size), outer = depths_of (object, false, size);
  const int deepest = std::ranges::max (inner);
  Flatness sums;
  std::array<double, 2> in_depth{};
  std::array<Powers, 2> depths{};
  for (int64_t top = 0; top < size; top += cell)
    for (int64_t left = 0; left < size; left += cell) {
      std::array<Powers, 2> means{}; // of air, and of the object
      std::array<double, 2> pixels{};
      for (auto y = top; y < std::min (top + cell, size); y++)
        for (auto x = left; x < std::min (left + cell, size); x++) {
          const auto i = y * size + x;
          const int depth = inner[static_cast<size_t> (i)];
          const bool inside = depth > border, air = outer[static_cast<size_t> (i)] > border;
          if (!in_field (x, y, size, 2 * border) || (!inside && !air))
            continue;
          const auto values = values_at (slices, i);
          add_to (means[inside], values);
          pixels[inside]++;
          const double share =
              static_cast<double> (depth - border) / static_cast<double> (std::max (deepest - border, 1));
          if (inside && (share < 1.0 / 3 || share > 2.0 / 3)) {
            add_to (depths[share > 0.5], values);
            in_depth[share > 0.5]++;
          }
        }
      for (const bool inside : {false, true})
        if (pixels[inside] > 0)
          sums.take (means[inside], pixels[inside], inside);
    }
  if (sums.pixels < least_pixels || in_depth[0] == 0 || in_depth[1] == 0)
    return {};
  for (size_t side = 0; side < 2; side++)
    add_to (sums.depths[side], depths[side], sums.pixels / in_depth[side]);
  sums.outside = cut;
  return sums;
}

} // namespace

// Noise is correlated negatively from pixel to pixel, so that the mean of a square has little of it.
void Flatness::take (Powers mean, double number, bool inside)
{
  for (auto &value : mean)
    value /= number;
  for (size_t k = 0; k < powers; k++)
    add_to (squares[k], mean, number * mean[k]);
  if (!inside)
    return;
  add_to (sums, mean, number);
  pixels += number;
  if (number >= 0.5 * cell * cell)
    cells.emplace_back (mean, number);
}

void Flatness::add (const Flatness &other)
{
  for (size_t k = 0; k < powers; k++)
    add_to (squares[k], other.squares[k]);
  add_to (sums, other.sums);
  pixels += other.pixels;
  outside += other.outside;
  for (size_t side = 0; side < 2; side++)
    add_to (depths[side], other.depths[side]);
  cells.insert (cells.end (), other.cells.begin (), other.cells.end ());
}

// Gauss with the largest pivot; powers are scaled to equal squares.
std::vector<double> Flatness::solve (size_t number) const
{
  std::array<std::array<double, powers + 1>, powers> rows{};
  Powers scale{};
  for (size_t k = 0; k < number; k++)
    if (scale[k] = std::sqrt (squares[k][k]); !(scale[k] > 0))
      return {};
  for (size_t k = 0; k < number; k++) {
    for (size_t i = 0; i < number; i++)
      rows[k][i] = squares[k][i] / (scale[k] * scale[i]);
    rows[k][number] = sums[k] / scale[k];
  }
  for (size_t k = 0; k < number; k++) {
    size_t best = k;
    for (auto i = k + 1; i < number; i++)
      if (std::abs (rows[i][k]) > std::abs (rows[best][k]))
        best = i;
    std::swap (rows[k], rows[best]);
    if (!(std::abs (rows[k][k]) > 1e-12))
      return {};
    for (size_t i = 0; i < number; i++)
      if (i != k) {
        const double times = rows[i][k] / rows[k][k];
        for (auto j = k; j <= number; j++)
          rows[i][j] -= times * rows[k][j];
      }
  }
  std::vector<double> found;
  for (size_t k = 0; k < number; k++)
    found.push_back (rows[k][number] / (rows[k][k] * scale[k]));
  const double scale_of_mean = sums[0] / combined (sums, found);
  for (auto &coefficient : found)
    coefficient *= scale_of_mean;
  return found;
}

double Flatness::cupping (std::span<const double> coefficients) const
{
  return 1 - combined (depths[1], coefficients) / combined (depths[0], coefficients);
}

double Flatness::unevenness (std::span<const double> coefficients) const
{
  double n = 0, sum = 0, squared = 0;
  for (const auto &[values, weight] : cells) {
    const double value = combined (values, coefficients);
    n += weight;
    sum += weight * value;
    squared += weight * value * value;
  }
  const double mean = sum / n;
  return std::sqrt (std::max (squared / n - mean * mean, 0.0)) / std::abs (mean);
}

Flatness look_at (const std::vector<float> &slices, int64_t size)
{
  std::vector<float> image (static_cast<size_t> (size * size));
  const auto combine = [&] (std::span<const double> coefficients) {
    for (int64_t i = 0; i < size * size; i++)
      image[static_cast<size_t> (i)] = static_cast<float> (combined (values_at (slices, i), coefficients));
  };
  combine (std::array{1.0});
  auto first = sums_of (slices, image, size);
  if (first.pixels == 0)
    return {};
  // Corrected once, the object is easier to tell from air.
  const auto rough = first.solve (2);
  if (rough.empty ())
    return first;
  combine (rough);
  return sums_of (slices, image, size);
}

} // namespace sino::beam_hardening
