// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/columns.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sino::find_axis {

namespace {

double median (std::vector<double> values)
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

std::vector<Column> columns_of (const float *sinogram, int64_t angles, int64_t columns)
{
  const auto n = static_cast<size_t> (columns);
  std::vector<double> sums (n), squares (n), counts (n);
  for (int pass = 0; pass < 2; pass++)
    for (int64_t a = 0; a < angles; a++)
      for (size_t c = 0; c < n; c++) {
        const auto value = static_cast<double> (sinogram[a * columns + static_cast<int64_t> (c)]);
        if (!std::isfinite (value))
          continue;
        if (pass == 0) {
          sums[c] += value;
          counts[c]++;
        } else {
          const double off = value - sums[c] / counts[c];
          squares[c] += off * off;
        }
      }
  std::vector<Column> list;
  for (size_t c = 0; c < n; c++) {
    const double count = std::max (counts[c], 1.0);
    list.push_back ({sums[c] / count, std::sqrt (squares[c] / count), counts[c] / static_cast<double> (angles)});
  }
  return list;
}

// Marks narrow columns that differ from the median around them by far more than neighbouring means usually differ.
// Edges of the object do not.
void mark_stripes (const std::vector<Column> &columns, std::vector<bool> &bad)
{
  constexpr int narrow = 3, around = 10;
  constexpr double most = 10, least_share = 0.05;
  const auto n = static_cast<int> (columns.size ());
  const auto mean = [&] (int c) { return columns[static_cast<size_t> (c)].mean; };
  const auto is_bad = [&] (int c) { return bad[static_cast<size_t> (c)]; };
  std::vector<double> deviations;
  for (const auto &column : columns)
    deviations.push_back (column.deviation);
  const double least = least_share * median (deviations);
  std::vector<int> found;
  for (int c = 0; c < n; c++) {
    std::vector<double> near, steps;
    for (int i = std::max (c - around, 0); i <= std::min (c + around, n - 1); i++) {
      if (is_bad (i))
        continue;
      if (std::abs (i - c) <= narrow)
        near.push_back (mean (i));
      if (i + 1 < n && !is_bad (i + 1))
        steps.push_back (std::abs (mean (i + 1) - mean (i)));
    }
    if (!is_bad (c) && std::abs (mean (c) - median (near)) > std::max (most * median (steps), least))
      found.push_back (c);
  }
  if (std::ssize (found) * 8 <= n)
    for (const int c : found)
      bad[static_cast<size_t> (c)] = true;
}

// Replaces values that are NaN by the previous number in their column, else by the next one.
void fill_numbers (float *sinogram, int64_t angles, int64_t columns, int64_t column)
{
  float last = NAN;
  for (const int64_t way : {+1, -1})
    for (int64_t i = 0; i < angles; i++) {
      auto &value = sinogram[(way > 0 ? i : angles - 1 - i) * columns + column];
      if (std::isfinite (value))
        last = value;
      else if (std::isfinite (last))
        value = last;
    }
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

bool bridge_columns (float *sinogram, int64_t angles, int64_t columns)
{
  const auto found = columns_of (sinogram, angles, columns);
  std::vector<double> deviations;
  for (const auto &column : found)
    if (column.share > 0.5)
      deviations.push_back (column.deviation);
  const double usual = median (deviations);
  std::vector<bool> bad;
  for (const auto &column : found)
    bad.push_back (column.share < 0.9 || column.deviation < 1e-3 * usual);
  spare_air (found, usual, bad);
  mark_stripes (found, bad);
  if (std::ranges::count (bad, true) == columns)
    return false;
  for (int64_t c = 0; c < columns; c++)
    if (!bad[static_cast<size_t> (c)] && found[static_cast<size_t> (c)].share < 1)
      fill_numbers (sinogram, angles, columns, c);
  for (int64_t begin = 0; begin < columns;) {
    if (!bad[static_cast<size_t> (begin)]) {
      begin++;
      continue;
    }
    int64_t end = begin;
    while (end < columns && bad[static_cast<size_t> (end)])
      end++;
    for (int64_t a = 0; a < angles; a++) {
      auto *row = sinogram + a * columns;
      const float after = row[end < columns ? end : begin - 1], before = begin > 0 ? row[begin - 1] : after;
      for (int64_t c = begin; c < end; c++)
        row[c] = before + (after - before) * static_cast<float> (c - begin + 1) / static_cast<float> (end - begin + 1);
    }
    begin = end;
  }
  return true;
}

} // namespace sino::find_axis
