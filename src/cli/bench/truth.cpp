// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/truth.hpp"
#include <algorithm>
#include <numbers>
#include <random>

namespace sino::cli {

namespace {

// Numbers below n, the same in every run and on every machine.
class Places
{
public:
  int64_t below (int64_t n) { return static_cast<int64_t> (random () % static_cast<uint64_t> (n)); }

private:
  std::mt19937_64 random;
};

// A few, the first and the last among them.
std::vector<int64_t> some_of (int64_t n)
{
  std::vector<int64_t> list;
  const auto many = std::min<int64_t> (n, 4);
  for (int64_t i = 0; i < many; i++)
    list.push_back (many > 1 ? i * (n - 1) / (many - 1) : 0);
  return list;
}

// Pixel (i, j) is seen at axis + x cos - y sin, where bin b spans [b, b + 1) and has its value in the middle.
double pixel (const Scan &scan, int64_t row, int64_t i, int64_t j)
{
  const auto &geometry = *scan.format->geometry;
  const auto columns = scan.format->extent (Axis::column);
  const auto middle = 0.5 * static_cast<double> (columns);
  const auto x = static_cast<double> (i) + 0.5 - middle, y = static_cast<double> (j) + 0.5 - middle;
  const auto value = [&] (int64_t angle, int64_t bin) {
    return bin < 0 || bin >= columns ? 0 : static_cast<double> (scan.value (angle, row, bin));
  };
  double sum = 0;
  for (int64_t k = 0; k < std::ssize (geometry.angles); k++) {
    const auto angle = geometry.angles[static_cast<size_t> (k)];
    const auto axis = geometry.axis.empty () ? middle : geometry.axis[0];
    const auto u = axis + x * std::cos (angle) - y * std::sin (angle) - 0.5, left = std::floor (u);
    const auto bin = static_cast<int64_t> (left);
    sum += (1 - u + left) * value (k, bin) + (u - left) * value (k, bin + 1);
  }
  return sum * std::numbers::pi / static_cast<double> (geometry.angles.size ());
}

const Block &holding (const std::vector<Block> &blocks, int64_t row)
{
  return *std::find_if (blocks.begin (), blocks.end (), [&] (const auto &b) { return b.rows ().place (row) >= 0; });
}

} // namespace

double slices_error (const Scan &scan, const std::vector<Block> &slices)
{
  RelativeError error;
  Places places;
  const auto n = scan.format->extent (Axis::column);
  const auto rows = some_of (slices.back ().rows ().hull ().end);
  for (const auto row : rows) {
    const auto &block = holding (slices, row);
    const auto *slice = block.as<float> () + block.offset (0, block.rows ().place (row));
    for (auto left = sampled_pixels / std::ssize (rows); left > 0;) {
      const auto i = places.below (n), j = places.below (n);
      if (std::hypot (2 * i + 1 - n, 2 * j + 1 - n) > static_cast<double> (n))
        continue;
      error.add (static_cast<double> (slice[j * n + i]), pixel (scan, row, i, j));
      left--;
    }
  }
  return error.value ();
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

} // namespace sino::cli
