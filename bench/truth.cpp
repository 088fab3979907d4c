// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/truth.hpp"
#include <algorithm>
#include <numbers>
#include <random>

namespace sino::bench {

namespace {

// Pseudo-random numbers below n, the same in every run and on every machine.
class Places
{
public:
  int64_t below (int64_t n) { return static_cast<int64_t> (random () % static_cast<uint64_t> (n)); }

private:
  std::mt19937_64 random;
};

// A few numbers, including the first and the last.
std::vector<int64_t> some_of (int64_t n)
{
  std::vector<int64_t> list;
  const auto many = std::min<int64_t> (n, 4);
  for (int64_t i = 0; i < many; i++)
    list.push_back (many > 1 ? i * (n - 1) / (many - 1) : 0);
  return list;
}

// Sums `see` over the projections, with weight pi / N: see (angle, u), where u is counted in bins from the centre of
// the first bin. Pixel (i, j) is seen at axis + x cos - y sin; bin b covers [b, b + 1).
template <class See> double pixel (const Scan &scan, int64_t i, int64_t j, const See &see)
{
  const auto &geometry = *scan.format->geometry;
  const auto columns = scan.format->extent (Axis::column);
  const auto middle = 0.5 * static_cast<double> (columns);
  const auto x = static_cast<double> (i) + 0.5 - middle, y = static_cast<double> (j) + 0.5 - middle;
  double sum = 0;
  for (int64_t k = 0; k < std::ssize (geometry.angles); k++) {
    const auto angle = geometry.angles[static_cast<size_t> (k)];
    const auto axis = geometry.axis.empty () ? middle : geometry.axis[0];
    sum += see (k, axis + x * std::cos (angle) - y * std::sin (angle) - 0.5);
  }
  return sum * std::numbers::pi / static_cast<double> (geometry.angles.size ());
}

double value_or_zero (const Scan &scan, int64_t row, int64_t angle, int64_t bin)
{
  return bin < 0 || bin >= scan.format->extent (Axis::column) ? 0 : static_cast<double> (scan.value (angle, row, bin));
}

double linear_pixel (const Scan &scan, int64_t row, int64_t i, int64_t j)
{
  return pixel (scan, i, j, [&] (int64_t angle, double u) {
    const auto left = std::floor (u);
    const auto bin = static_cast<int64_t> (left);
    return (1 - u + left) * value_or_zero (scan, row, angle, bin) +
           (u - left) * value_or_zero (scan, row, angle, bin + 1);
  });
}

// Rows convolved with the band-limited ramp h (t) = sinc (t) / 2 - sinc (t / 2)^2 / 4 (A. C. Kak, M. Slaney, 1988,
// equation 61 before sampling), and with the Hann window up to the Nyquist frequency, which in space is 1/4, 1/2, 1/4.
double exact_pixel (const Scan &scan, int64_t row, int64_t i, int64_t j)
{
  const auto columns = scan.format->extent (Axis::column);
  return pixel (scan, i, j, [&] (int64_t angle, double u) {
    using std::numbers::pi;
    const double sine = std::sin (pi * u), cosine = std::cos (pi * u); // sine and cosine of pi t, except for the sign
    double sum = 0;
    for (int64_t bin = -1; bin <= columns; bin++) {
      const auto t = u - static_cast<double> (bin);
      const auto sign = bin % 2 ? -1.0 : 1.0;
      // sin (pi t / 2)^2 = (1 - cos (pi t)) / 2
      const auto h =
          std::abs (t) < 1e-6 ? 0.25 : sign * sine / (2 * pi * t) - (1 - sign * cosine) / (2 * pi * pi * t * t);
      sum += h * (value_or_zero (scan, row, angle, bin) / 2 +
                  (value_or_zero (scan, row, angle, bin - 1) + value_or_zero (scan, row, angle, bin + 1)) / 4);
    }
    return sum;
  });
}

// Returns a voxel by the method of Feldkamp, Davis and Kress (1984); the filter already includes the distance between
// columns and the weights of opposite rays.
double cone_voxel (const Scan &filtered, const Circle &circle, double x, double y, double z)
{
  const auto &angles = filtered.format->geometry->angles;
  const auto columns = static_cast<double> (filtered.format->extent (Axis::column));
  const auto rows = static_cast<double> (filtered.format->rows ());
  double sum = 0;
  for (int64_t k = 0; k < std::ssize (angles); k++) {
    const auto angle = angles[static_cast<size_t> (k)];
    const auto depth = circle.source + x * std::sin (angle) + y * std::cos (angle);
    const auto scale = circle.detector / depth / circle.pixel;
    const auto u = 0.5 * (columns - 1) + scale * (x * std::cos (angle) - y * std::sin (angle));
    const auto v = 0.5 * (rows - 1) + scale * z;
    const auto left = std::floor (u), top = std::floor (v);
    for (const auto column : {left, left + 1})
      for (const auto row : {top, top + 1})
        if (row >= 0 && row < rows)
          sum += circle.source * circle.detector / (depth * depth) * (1 - std::abs (u - column)) *
                 (1 - std::abs (v - row)) *
                 value_or_zero (filtered, static_cast<int64_t> (row), k, static_cast<int64_t> (column));
  }
  return 2 * std::numbers::pi / static_cast<double> (angles.size ()) * sum;
}

const Block &holding (const std::vector<Block> &blocks, int64_t row)
{
  return *std::ranges::find_if (blocks, [&] (const auto &b) { return b.rows ().place (row) >= 0; });
}

} // namespace

// Returns the error at `many` pixels in total, in the inscribed circle of some slices of n x n.
template <class Truth>
static double error_at_pixels (int64_t n, const std::vector<Block> &slices, int64_t many, const Truth &truth)
{
  RelativeError error;
  Places places;
  const auto rows = some_of (slices.back ().rows ().end);
  for (const auto row : rows) {
    const auto &block = holding (slices, row);
    const auto *slice = block.as<float> () + block.offset (0, block.rows ().place (row));
    for (auto left = many / std::ssize (rows); left > 0;) {
      const auto i = places.below (n), j = places.below (n);
      if (std::hypot (2 * i + 1 - n, 2 * j + 1 - n) > static_cast<double> (n))
        continue;
      error.add (static_cast<double> (slice[j * n + i]), truth (row, i, j));
      left--;
    }
  }
  return error.value ();
}

double slices_error (const Scan &scan, const std::vector<Block> &slices)
{
  return error_at_pixels (scan.format->extent (Axis::column), slices, sampled_pixels,
                          [&] (int64_t row, int64_t i, int64_t j) { return linear_pixel (scan, row, i, j); });
}

double exact_slices_error (const Scan &scan, const std::vector<Block> &slices)
{
  return error_at_pixels (scan.format->extent (Axis::column), slices, sampled_pixels / 16,
                          [&] (int64_t row, int64_t i, int64_t j) { return exact_pixel (scan, row, i, j); });
}

double cone_slices_error (const Scan &filtered, const Circle &circle, const std::vector<Block> &slices)
{
  const auto size = std::ssize (slices);
  return error_at_pixels (size, slices, sampled_pixels, [&] (int64_t row, int64_t i, int64_t j) {
    const auto middle = 0.5 * static_cast<double> (size - 1);
    return cone_voxel (filtered, circle, static_cast<double> (i) - middle, static_cast<double> (j) - middle,
                       static_cast<double> (row) - middle);
  });
}

double filter_error (const Scan &scan, const std::vector<Block> &filtered)
{
  RelativeError error;
  Places places;
  const auto columns = scan.format->extent (Axis::column);
  for (int i = 0; i < sampled_pixels; i++) {
    const auto angle = places.below (scan.format->angles ()), row = places.below (scan.format->rows ());
    const auto column = places.below (columns);
    double sum = 0;
    for (int64_t from = 0; from < columns; from++) {
      const auto away = static_cast<double> (column - from), p = static_cast<double> (scan.value (angle, row, from));
      if (from == column)
        sum += 0.25 * p;
      else if ((column - from) % 2)
        sum -= p / std::pow (std::numbers::pi * away, 2);
    }
    const auto &block = filtered[static_cast<size_t> (angle / batch)];
    error.add (static_cast<double> (block.as<float> ()[block.offset (angle % batch, row) + column]), sum);
  }
  return error.value ();
}

} // namespace sino::bench
