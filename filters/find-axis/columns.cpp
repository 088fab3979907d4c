// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/columns.hpp"
#include "base/divide-up.hpp"
#include "kernels/find-axis/lines.hpp"
#include "stream/rows.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace sino::find_axis {

namespace {

double median (std::span<double> values) // changes their order
{
  if (values.empty ())
    return 0;
  const auto middle = values.begin () + static_cast<std::ptrdiff_t> (values.size () / 2);
  std::ranges::nth_element (values, middle);
  return *middle;
}

struct Column {
  double mean, deviation, share; // share: share of values that are numbers
};

std::vector<Column> columns_of (const float *sinogram, int64_t angles, int64_t columns, const Cpu &cpu)
{
  constexpr int64_t tile = 128; // columns that stay in a cache for the second look at them
  std::vector<Column> list (static_cast<size_t> (columns));
  cpu.parallel (divide_up (columns, tile), 1, [&] (int64_t first, int64_t last) {
    for (auto begin = first * tile; begin < std::min (last * tile, columns); begin += tile) {
      const auto n = std::min (tile, columns - begin);
      std::array<double, tile> means{}, squares{}, counts{};
      for (int64_t a = 0; a < angles; a++)
        add_numbers (sinogram + a * columns + begin, n, means.data (), counts.data ());
      for (size_t c = 0; c < static_cast<size_t> (n); c++)
        means[c] /= std::max (counts[c], 1.0);
      for (int64_t a = 0; a < angles; a++)
        add_squares (sinogram + a * columns + begin, n, means.data (), squares.data ());
      for (size_t c = 0; c < static_cast<size_t> (n); c++)
        list[static_cast<size_t> (begin) + c] = {means[c], std::sqrt (squares[c] / std::max (counts[c], 1.0)),
                                                 counts[c] / static_cast<double> (angles)};
    }
  });
  return list;
}

// Marks narrow columns that differ from the median around them by far more than neighbouring means usually differ.
// Edges of the object do not.
void mark_stripes (const std::vector<Column> &columns, std::vector<bool> &bad, const Cpu &cpu)
{
  constexpr int64_t narrow = 3, around = 10;
  constexpr double most = 10, least_share = 0.05;
  const auto n = std::ssize (columns);
  const auto mean = [&] (int64_t c) { return columns[static_cast<size_t> (c)].mean; };
  const auto is_bad = [&] (int64_t c) { return bad[static_cast<size_t> (c)]; };
  std::vector<double> deviations;
  for (const auto &column : columns)
    deviations.push_back (column.deviation);
  const double least = least_share * median (deviations);
  std::vector<char> found (columns.size ());
  cpu.parallel (n, 128, [&] (int64_t first, int64_t last) {
    std::vector<double> near, steps;
    for (auto c = first; c < last; c++) {
      near.clear ();
      steps.clear ();
      for (auto i = std::max<int64_t> (c - around, 0); i <= std::min (c + around, n - 1); i++) {
        if (is_bad (i))
          continue;
        if (std::abs (i - c) <= narrow)
          near.push_back (mean (i));
        if (i + 1 < n && !is_bad (i + 1))
          steps.push_back (std::abs (mean (i + 1) - mean (i)));
      }
      found[static_cast<size_t> (c)] =
          !is_bad (c) && std::abs (mean (c) - median (near)) > std::max (most * median (steps), least);
    }
  });
  if (std::ranges::count (found, 1) * 8 <= n)
    for (size_t c = 0; c < found.size (); c++)
      if (found[c])
        bad[c] = true;
}

// Replaces values that are NaN by the previous number in their column, else by the next one. Returns the mean.
double fill_numbers (float *sinogram, int64_t angles, int64_t columns, int64_t column)
{
  float last = NAN;
  double sum = 0;
  for (const int64_t way : {+1, -1})
    for (int64_t i = 0; i < angles; i++) {
      auto &value = sinogram[(way > 0 ? i : angles - 1 - i) * columns + column];
      if (std::isfinite (value))
        last = value;
      else if (std::isfinite (last))
        value = last;
      if (way < 0)
        sum += static_cast<double> (value);
    }
  return sum / static_cast<double> (angles);
}

// Unmarks columns of air. In data without noise, columns beside the object are constantly 0. So are the following
// columns up to the first that varies, for a round object in the middle. These columns are good.
void spare_air (const std::vector<Column> &columns, double usual, std::vector<bool> &bad)
{
  const auto stands_still = [&] (const Column &column) { return column.share == 1 && column.deviation < 1e-3 * usual; };
  const auto is_air = [&] (const Column &column) { return std::abs (column.mean) < 1e-3 * usual; };
  const auto n = columns.size ();
  if (is_air (columns.front ()))
    for (size_t c = 0; c < n && stands_still (columns[c]); c++)
      bad[c] = false;
  if (is_air (columns.back ()))
    for (size_t c = n; c > 0 && stands_still (columns[c - 1]); c--)
      bad[c - 1] = false;
}

} // namespace

std::vector<double> bridge_columns (float *sinogram, int64_t angles, int64_t columns, const Cpu &cpu)
{
  const auto found = columns_of (sinogram, angles, columns, cpu);
  std::vector<double> deviations, means;
  for (const auto &column : found) {
    means.push_back (column.mean);
    if (column.share > 0.5)
      deviations.push_back (column.deviation);
  }
  const double usual = median (deviations);
  std::vector<bool> bad;
  for (const auto &column : found)
    bad.push_back (column.share < 0.9 || column.deviation < 1e-3 * usual);
  spare_air (found, usual, bad);
  mark_stripes (found, bad, cpu);
  if (std::ranges::count (bad, true) == columns)
    return {};
  cpu.parallel (columns, 16, [&] (int64_t first, int64_t last) {
    for (auto c = first; c < last; c++)
      if (const auto place = static_cast<size_t> (c); !bad[place] && found[place].share < 1)
        means[place] = fill_numbers (sinogram, angles, columns, c);
  });
  std::vector<Rows> gaps;
  for (int64_t c = 0; c < columns; c++)
    if (bad[static_cast<size_t> (c)]) {
      if (gaps.empty () || gaps.back ().end < c)
        gaps.push_back ({c, c});
      gaps.back ().end = c + 1;
    }
  const auto bridge = [&] (auto *line) {
    using Value = std::remove_reference_t<decltype (*line)>;
    for (const auto &[begin, end] : gaps) {
      const auto after = line[end < columns ? end : begin - 1], before = begin > 0 ? line[begin - 1] : after;
      for (auto c = begin; c < end; c++)
        line[c] = before + (after - before) * static_cast<Value> (c - begin + 1) / static_cast<Value> (end - begin + 1);
    }
  };
  if (!gaps.empty ())
    cpu.parallel (angles, 64, [&] (int64_t first, int64_t last) {
      for (auto a = first; a < last; a++)
        bridge (sinogram + a * columns);
    });
  bridge (means.data ());
  return means;
}

} // namespace sino::find_axis
