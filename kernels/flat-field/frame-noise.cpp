// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/flat-field/frame-noise.hpp"
#include <algorithm>
#include <cmath>
#include <span>

namespace sino::flat_field {

namespace {

constexpr int64_t widest = 16, narrowest = 8; // columns of a block
constexpr size_t fewest_blocks = 4;
// The median of a normal distribution's absolute values is 1 / 1.4826 standard deviations; fourth differences of values
// with variance 1 have the variance 70.
constexpr double of_median = 1.4826, of_fourth = 70;

double median (std::vector<double> &values)
{
  const auto middle = values.begin () + std::ssize (values) / 2;
  std::ranges::nth_element (values, middle);
  return *middle;
}

// The median of a variance of n + 1 normal values, relative to its mean (E. B. Wilson, M. M. Hilferty, 1931).
double median_of_variances (int64_t n)
{
  return std::pow (1 - 2 / (9.0 * static_cast<double> (n)), 3);
}

double variance (std::span<const double> values)
{
  double sum = 0, squares = 0;
  for (const double value : values)
    sum += value;
  const double mean = sum / static_cast<double> (values.size ());
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  return squares / static_cast<double> (values.size () - 1);
}

// What differences of frames tell: the variance of a frame, and what fourth differences see of it.
struct Differences {
  std::vector<double> variances, fourths;

  void add (std::span<const double> block)
  {
    const double found = variance (block);
    if (!std::isfinite (found))
      return;
    variances.push_back (found);
    for (size_t i = 4; i < block.size (); i++)
      fourths.push_back (std::abs (block[i - 4] - 4 * block[i - 3] + 6 * block[i - 2] - 4 * block[i - 1] + block[i]));
  }
  // Half, because two frames have twice the variance of one.
  double of_frame (int64_t width) { return 0.5 * median (variances) / median_of_variances (width - 1); }
  double of_fourths () { return 0.5 * std::pow (of_median * median (fourths), 2) / of_fourth; }
};

// The differences of frames, divided by `scale (frame, column)`.
template <class Scale> Differences differences_of (const FrameRows &frames, int64_t width, Scale scale)
{
  Differences all;
  std::vector<double> block (static_cast<size_t> (width));
  for (int64_t frame = 0; frame + 1 < frames.count; frame++)
    for (int64_t first = 0; first + width <= frames.columns; first += width) {
      for (int64_t i = 0; i < width; i++) {
        const auto column = first + i;
        block[static_cast<size_t> (i)] =
            static_cast<double> (frames.of (frame + 1)[column] - frames.of (frame)[column]) / scale (frame, column);
      }
      all.add (block);
    }
  return all;
}

std::vector<double> means_of (const FrameRows &frames)
{
  std::vector<double> means (static_cast<size_t> (frames.columns), 0.0);
  for (int64_t frame = 0; frame < frames.count; frame++)
    for (size_t i = 0; i < means.size (); i++)
      means[i] += static_cast<double> (frames.of (frame)[i]) / static_cast<double> (frames.count);
  return means;
}

} // namespace

RowNoise noise_of_frames (const FrameRows &flats, const FrameRows &darks, float greatest)
{
  const auto width = std::min (flats.columns, widest);
  if (flats.count < 2 || width < narrowest)
    return {};
  const auto black =
      darks.count > 0 ? means_of (darks) : std::vector<double> (static_cast<size_t> (flats.columns), 0.0);
  const auto level = [&] (int64_t frame, int64_t column) { // not a number where it is no level
    const float one = flats.of (frame)[column], next = flats.of (frame + 1)[column];
    const double mean = 0.5 * static_cast<double> (one + next) - black[static_cast<size_t> (column)];
    return one < greatest && next < greatest && mean > 0 ? mean : NAN;
  };
  auto lit = differences_of (flats, width, level);
  if (lit.variances.size () < fewest_blocks)
    return {};
  const double all = lit.of_frame (width);
  if (!(all > 0))
    return {};
  double readout = 0;
  if (darks.count > 1) {
    auto dark = differences_of (darks, width, [&] (int64_t, int64_t column) { return level (0, column); });
    if (dark.variances.size () >= fewest_blocks)
      readout = std::min (dark.of_frame (width), all);
  }
  return {.photons = all - readout, .readout = readout, .fine = lit.of_fourths () / all};
}

} // namespace sino::flat_field
