// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/stitch-360/join.hpp"
#include "kernels/stitch-360/weigh.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace sino::stitch_360 {

namespace {

constexpr double whole = 1e-6;     // columns: smaller fractions count as 0
constexpr float itself[] = {1.0f}; // interpolation kernel that keeps values

// A sinc with Kaiser's window, which nearly preserves the noise of the values.
double windowed_sinc (double x, double reach)
{
  constexpr double beta = 4.5;
  if (std::abs (x) >= reach)
    return 0;
  const double phase = std::numbers::pi * x, part = x / reach;
  return (x == 0 ? 1 : std::sin (phase) / phase) * std::cyl_bessel_i (0, beta * std::sqrt (1 - part * part)) /
         std::cyl_bessel_i (0, beta);
}

} // namespace

// Column k of the detector, whose centre is k + 1/2 - axis from the axis, is opposite to column 2 axis - 1 - k.
Join::Join (int64_t n, double at) : columns (n), axis (at)
{
  double twice = 2 * axis;
  if (std::abs (twice - std::round (twice)) < whole)
    twice = std::round (twice);
  const auto width = static_cast<double> (columns);
  mirror_first = static_cast<int64_t> (std::ceil (twice - width));
  mirror_last = static_cast<int64_t> (std::floor (twice - 1));
  first = std::min<int64_t> (0, mirror_first);
  last = std::max (columns - 1, mirror_last);
  offset = static_cast<int64_t> (std::floor (width - twice));
  share = width - twice - static_cast<double> (offset);
  overlapping = 2 * std::min (axis, width - axis);
  double sum = 0;
  std::array<double, taps> values{};
  for (int64_t i = 0; i < taps; i++)
    sum += values[static_cast<size_t> (i)] = windowed_sinc (static_cast<double> (i - reach + 1) - share, reach);
  for (size_t i = 0; i < taps; i++)
    kernel[i] = static_cast<float> (values[i] / sum);
}

// Returns the weight of the direct row, which changes linearly over the columns that both rows have.
double Join::weight (int64_t column) const
{
  const bool has_row = column >= 0 && column < columns, has_mirror = column >= mirror_first && column <= mirror_last;
  if (!has_row || !has_mirror)
    return has_row ? 1 : 0;
  const double place = (static_cast<double> (column) + 0.5 - axis) / overlapping;
  return std::clamp (2 * axis >= static_cast<double> (columns) ? 0.5 - place : 0.5 + place, 0.0, 1.0);
}

std::vector<float> Join::direct_weights (bool alone) const
{
  std::vector<float> weights;
  for (auto column = first; column <= last; column++)
    weights.push_back (static_cast<float> (alone ? 2 * weight (column) : weight (column)));
  return weights;
}

std::vector<float> Join::mirror_weights () const
{
  std::vector<float> weights;
  for (auto column = first; column <= last; column++)
    weights.push_back (static_cast<float> (1 - weight (column)));
  return weights;
}

Join::Image Join::image () const
{
  const auto skipped = exact () ? reach - 1 : 0;
  return {.first = mirror_first - first,
          .count = mirror_last - mirror_first + 1,
          .start = columns - 1 + reach - 1 - (mirror_first + offset) - skipped,
          .parts = exact () ? std::span<const float> (itself) : std::span<const float> (kernel)};
}

static std::vector<float> in_lanes (const std::vector<float> &weights, int64_t lanes)
{
  std::vector<float> all;
  for (const auto weight : weights)
    all.insert (all.end (), static_cast<size_t> (lanes), weight);
  return all;
}

Join::Loops::Loops (const Join &j, int64_t l, bool alone)
    : join (j), lanes (l), direct_all (in_lanes (j.direct_weights (alone), l)),
      mirror_all (in_lanes (j.mirror_weights (), l))
{
}

void Join::Loops::direct (const float *row, float *wide) const
{
  const auto begin = join.shift () * lanes, n = join.columns * lanes, all = join.width () * lanes;
  std::fill_n (wide, begin, 0.0f);
  weigh (row, direct_all.data () + begin, n, wide + begin);
  std::fill (wide + begin + n, wide + all, 0.0f);
}

void Join::Loops::mirror (const float *row, float *wide, float *scratch) const
{
  // Copies columns in reverse order, with the end columns repeated.
  const auto column = [&] (int64_t c, int64_t to) {
    std::memcpy (scratch + to * lanes, row + std::clamp<int64_t> (c, 0, join.columns - 1) * lanes,
                 static_cast<size_t> (lanes) * sizeof (float));
  };
  if (lanes == 1) {
    for (int64_t i = 0; i < reach - 1; i++)
      column (join.columns, i);
    std::reverse_copy (row, row + join.columns, scratch + reach - 1);
    for (auto i = join.columns + reach - 1; i < join.columns + taps; i++)
      column (-1, i);
  } else
    for (int64_t i = 0; i < join.columns + taps; i++)
      column (join.columns - 1 + reach - 1 - i, i);

  const auto begin = (join.mirror_first - join.first) * lanes, n = (join.mirror_last - join.mirror_first + 1) * lanes,
             from = (join.mirror_first + join.offset) * lanes;
  const auto *weights = mirror_all.data () + begin;
  if (join.exact ())
    add_filtered (scratch + from + (reach - 1) * lanes, lanes, itself, weights, n, wide + begin);
  else
    add_filtered (scratch + from, lanes, join.kernel, weights, n, wide + begin);
}

} // namespace sino::stitch_360
