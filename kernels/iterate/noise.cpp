// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/iterate/noise.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace sino::iterate {

namespace {

constexpr int64_t side = block_side, most_blocks = 2048;
// The variance of differences: second ones, and fourth ones, of values with variance 1. The median of a normal
// distribution's absolute values is 1 / 1.4826 standard deviations.
constexpr double of_second = 1 + 4 + 1, of_fourth = 1 + 16 + 36 + 16 + 1, of_median = 1.4826;

float median (std::array<float, side * side> &values, int64_t count)
{
  const auto middle = values.begin () + count / 2;
  std::nth_element (values.begin (), middle, values.begin () + count);
  return *middle;
}

} // namespace

NoiseBlocks::NoiseBlocks (const Sinograms &s)
    : across (std::max<int64_t> ((s.columns - beyond_columns) / side, 1)),
      along (std::max<int64_t> ((s.angles - beyond_angles) / side, 1)),
      step ((across * along + most_blocks - 1) / most_blocks), width (std::min (s.columns - beyond_columns, side)),
      height (std::min (s.angles - beyond_angles, side))
{
}

void noise_of_block (const Sinograms &s, const NoiseBlocks &blocks, int64_t block, float *squares)
{
  const auto number = block * blocks.step, width = blocks.width;
  const auto first_angle = number / blocks.across * side, first_column = number % blocks.across * side;
  for (int lane = 0; lane < s.lanes; lane++) {
    const auto along_columns = [&] (int64_t angle, int64_t column) {
      const float *at = s.values + ((first_angle + angle) * s.columns + first_column + column) * s.stride + lane;
      return at[0] - 4 * at[s.stride] + 6 * at[2 * s.stride] - 4 * at[3 * s.stride] + at[4 * s.stride];
    };
    std::array<float, side * side> both, columns;
    int64_t count = 0;
    float sum = 0;
    for (int64_t column = 0; column < width; column++) {
      float above = along_columns (0, column), here = along_columns (1, column);
      for (int64_t angle = 0; angle < blocks.height; angle++, count++) {
        const float below = along_columns (angle + 2, column);
        both[static_cast<size_t> (count)] = std::abs (above - 2 * here + below);
        columns[static_cast<size_t> (count)] = std::abs (here);
        sum += both[static_cast<size_t> (count)];
        above = here;
        here = below;
      }
    }
    const bool finite = std::isfinite (sum);
    squares_of (finite ? median (both, count) : NAN, finite ? median (columns, count) : NAN, squares + 2 * lane);
  }
}

void squares_of (float both, float along_columns, float *squares)
{
  const auto square = [] (float middle, double of) {
    const double deviation = of_median * static_cast<double> (middle);
    return static_cast<float> (deviation * deviation / of);
  };
  squares[0] = square (both, of_second * of_fourth);
  squares[1] = square (along_columns, of_fourth);
}

double noise_of (const std::vector<float> &squares, int lanes, int lane)
{
  double sums[2] = {}, count = 0;
  const auto stride = 2 * static_cast<size_t> (lanes);
  for (size_t at = 2 * static_cast<size_t> (lane); at < squares.size (); at += stride)
    if (!std::isnan (squares[at])) {
      sums[0] += static_cast<double> (squares[at]);
      sums[1] += static_cast<double> (squares[at + 1]);
      count++;
    }
  return count > 0 ? std::sqrt (std::min (sums[0], sums[1]) / count) : 0;
}

} // namespace sino::iterate
