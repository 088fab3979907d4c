// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/iterate/noise.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace sino::iterate {

namespace {

constexpr int64_t side = block_side, most_blocks = 2048;
// Where all is as expected, the quietest of 20 blocks have 0.6 to 1 times the expected variance.
constexpr int64_t quietest_of = 20;
constexpr double least_ratio = 0.4, most_ratio = 1.25;
// The variance of differences: second ones, and fourth ones, of values with variance 1. The median of a normal
// distribution's absolute values is 1 / 1.4826 standard deviations.
constexpr double of_second = 1 + 4 + 1, of_fourth = 1 + 16 + 36 + 16 + 1, of_median = 1.4826;

float median (std::array<float, side * side> &values, int64_t count)
{
  const auto middle = values.begin () + count / 2;
  std::nth_element (values.begin (), middle, values.begin () + count);
  return *middle;
}

// The mean variance that some values of a block should have.
double expected (const Sinograms &s, const ValueNoise &known, const float *first, int64_t angles, int64_t columns)
{
  constexpr double darkest = 12, most = 1; // v; the variance of v for a single photon
  double sum = 0;
  for (int64_t angle = 0; angle < angles; angle++)
    for (int64_t column = 0; column < columns; column++) {
      const double v = known.unit * static_cast<double> (first[(angle * s.columns + column) * s.stride]);
      const double dimmer = std::exp (std::min (v, darkest));
      sum += std::min (known.photons * dimmer + known.readout * dimmer * dimmer, most) + known.mean;
    }
  return sum / static_cast<double> (angles * columns) / (known.unit * known.unit);
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
    float *const results = squares + static_cast<size_t> (lane) * results_of_block;
    std::fill_n (results, results_of_block, NAN);
    if (!finite)
      continue;
    squares_of (median (both, count), median (columns, count), results);
    if (!s.known.empty ()) // of the values in the middle of differences
      results[2] = static_cast<float> (expected (
          s, s.known[static_cast<size_t> (lane)],
          s.values + ((first_angle + 1) * s.columns + first_column + 2) * s.stride + lane, blocks.height, width));
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

Noise noise_of (const std::vector<float> &squares, const Sinograms &sinograms, int first, int count)
{
  double found = 0, expected = 0, blocks = 0;
  std::vector<double> ratios; // of what is found in a block to what is expected
  bool known = !sinograms.known.empty ();
  const auto stride = results_of_block * static_cast<size_t> (sinograms.lanes);
  for (int lane = first; lane < first + count; lane++) {
    const double fine = known ? sinograms.known[static_cast<size_t> (lane)].fine : 0;
    known = fine > 0;
    double both = 0, columns = 0, of_lane = 0;
    for (size_t at = results_of_block * static_cast<size_t> (lane); at < squares.size (); at += stride) {
      if (std::isnan (squares[at]))
        continue;
      both += static_cast<double> (squares[at]);
      columns += static_cast<double> (squares[at + 1]);
      of_lane++;
      if (!known)
        continue;
      const auto variance = static_cast<double> (squares[at + 2]);
      expected += variance;
      ratios.push_back (static_cast<double> (std::min (squares[at], squares[at + 1])) / (variance * fine));
    }
    if (of_lane > 0)
      found += std::min (both, columns) / of_lane;
    blocks += of_lane;
  }
  if (known && blocks > 0) {
    const auto quiet = ratios.begin () + std::ssize (ratios) / quietest_of;
    std::ranges::nth_element (ratios, quiet);
    if (*quiet > least_ratio && *quiet < most_ratio)
      return {std::sqrt (expected / blocks), true};
  }
  return {std::sqrt (found / count), false};
}

} // namespace sino::iterate
