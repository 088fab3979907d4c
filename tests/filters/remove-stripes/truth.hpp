// SPDX-License-Identifier: LGPL-3.0-or-later
// The methods as their papers and the page describe them, plainly and in float64 (algorithms: N. T. Vo, R. C. Atwood
// and M. Drakopoulos, Optics Express 26, 2018).
#pragma once
#include "tests/support/expect.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace sino::test::stripes {

using Line = std::vector<double>;
using Image = std::vector<Line>; // of columns

inline size_t near (int64_t i, size_t n)
{
  const auto size = static_cast<int64_t> (n);
  while (i < 0 || i >= size)
    i = i < 0 ? -1 - i : 2 * size - 1 - i;
  return static_cast<size_t> (i);
}

inline Line median (const Line &line, int64_t size)
{
  Line out;
  for (int64_t i = 0; i < std::ssize (line); i++) {
    Line window;
    for (auto j = i - size / 2; j <= i + size / 2; j++)
      window.push_back (line[near (j, line.size ())]);
    std::sort (window.begin (), window.end ());
    out.push_back (window[window.size () / 2]);
  }
  return out;
}

inline Image medians_across (const Image &columns, int64_t size)
{
  Image out = columns;
  for (size_t a = 0; a < columns[0].size (); a++) {
    Line row;
    for (const auto &column : columns)
      row.push_back (column[a]);
    row = median (row, size);
    for (size_t c = 0; c < out.size (); c++)
      out[c][a] = row[c];
  }
  return out;
}

// --- algorithm 3 ---

inline std::vector<size_t> ranks (const Line &column)
{
  std::vector<size_t> angles (column.size ());
  std::iota (angles.begin (), angles.end (), 0);
  std::stable_sort (angles.begin (), angles.end (), [&] (size_t a, size_t b) { return column[a] < column[b]; });
  return angles;
}

inline Image sorted (const Image &columns)
{
  Image out = columns;
  for (auto &column : out)
    std::sort (column.begin (), column.end ());
  return out;
}

inline Image in_order_of (const Image &columns, const Image &values)
{
  Image out = columns;
  for (size_t c = 0; c < columns.size (); c++)
    for (size_t rank = 0; const auto angle : ranks (columns[c]))
      out[c][angle] = values[c][rank++];
  return out;
}

inline Image sorting (const Image &columns, int64_t size)
{
  return in_order_of (columns, medians_across (sorted (columns), size));
}

// --- algorithm 4 ---

inline std::vector<bool> stripes (const Line &numbers, double snr)
{
  Line y = numbers;
  std::sort (y.begin (), y.end ());
  const size_t n = y.size (), begin = n / 4, end = n - n / 4 - 1;
  double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (auto i = begin; i < end; i++) {
    const auto x = static_cast<double> (i);
    s++, sx += x, sy += y[i], sxx += x * x, sxy += x * y[i];
  }
  const double slope = (s * sxy - sx * sy) / (s * sxx - sx * sx), low = (sy - slope * sx) / s,
               high = low + slope * static_cast<double> (n - 1), noise = high - low;
  std::vector<bool> marks (n), wide (n);
  for (size_t i = 0; i < n; i++)
    marks[i] = (y[n - 1] - high >= snr * noise && numbers[i] > high + snr * noise / 2) ||
               (low - y[0] >= snr * noise && numbers[i] <= low - snr * noise / 2);
  for (size_t i = 0; i < n; i++)
    wide[i] = marks[i] || (i > 0 && marks[i - 1]) || (i + 1 < n && marks[i + 1]);
  return wide;
}

// --- algorithm 5 ---

inline double mean_within (const Line &column, double drop)
{
  const auto n = static_cast<int64_t> (column.size ()),
             dropped = static_cast<int64_t> (drop * static_cast<double> (n) / 2);
  return std::accumulate (column.begin () + dropped, column.end () - dropped, 0.0) /
         static_cast<double> (n - 2 * dropped);
}

inline Image large (const Image &columns, double snr, int64_t size, double drop)
{
  const auto order = sorted (columns), smooth = medians_across (order, size);
  Line factors;
  for (size_t c = 0; c < columns.size (); c++)
    factors.push_back (mean_within (order[c], drop) / mean_within (smooth[c], drop));
  const auto marks = stripes (factors, snr);
  g_assert_cmpint (std::count (marks.begin (), marks.end (), true), >, 2); // the test has some
  auto out = in_order_of (columns, smooth);
  for (size_t c = 0; c < columns.size (); c++)
    if (!marks[c])
      for (size_t a = 0; a < columns[c].size (); a++)
        out[c][a] = columns[c][a] / factors[c];
  return out;
}

// --- algorithm 6 ---

inline Image without_dead (const Image &columns, double snr, int64_t size)
{
  Line changes;
  for (const auto &column : columns) {
    double sum = 0;
    for (int64_t a = 0; a < std::ssize (column); a++) {
      double mean = 0;
      for (auto b = a - 5; b < a + 5; b++)
        mean += column[near (b, column.size ())] / 10;
      sum += std::abs (column[static_cast<size_t> (a)] - mean);
    }
    changes.push_back (sum);
  }
  auto ratios = median (changes, size);
  for (size_t c = 0; c < ratios.size (); c++)
    ratios[c] = changes[c] / ratios[c];
  auto marks = stripes (ratios, snr);
  marks[0] = marks[1] = marks[marks.size () - 2] = marks[marks.size () - 1] = false;
  g_assert_cmpint (std::count (marks.begin (), marks.end (), true), >, 2);
  Image out = columns;
  for (size_t c = 0; c < columns.size (); c++) {
    size_t left = c, right = c;
    while (marks[left])
      left--;
    while (marks[right])
      right++;
    for (size_t a = 0; left < c && a < out[c].size (); a++)
      out[c][a] = columns[left][a] + (columns[right][a] - columns[left][a]) * static_cast<double> (c - left) /
                                         static_cast<double> (right - left);
  }
  return out;
}

// --- offsets ---

inline double middle (Line numbers)
{
  std::sort (numbers.begin (), numbers.end ());
  return numbers[numbers.size () / 2];
}

inline Line differences (const Line &column, const Line &other)
{
  Line result;
  for (size_t a = 0; a < column.size (); a++)
    result.push_back (column[a] - other[a]);
  return result;
}

inline void lower (Line &column, double by)
{
  for (auto &value : column)
    value -= by;
}

// Of neighbouring angles, 128 to 255 means.
inline Image means (const Image &columns)
{
  const auto angles = columns[0].size (), number = angles / std::max<size_t> (angles / 128, 1);
  Image result;
  for (const auto &column : columns) {
    Line line;
    for (size_t i = 0; i < number; i++) {
      const auto begin = column.begin () + static_cast<int64_t> (i * angles / number),
                 end = column.begin () + static_cast<int64_t> ((i + 1) * angles / number);
      line.push_back (std::accumulate (begin, end, 0.0) / static_cast<double> (end - begin));
    }
    result.push_back (line);
  }
  return result;
}

inline double standard_error (Line about_median)
{
  for (auto &value : about_median)
    value = std::abs (value);
  return 1.4826 * 1.2533 * middle (about_median) / std::sqrt (static_cast<double> (about_median.size ()));
}

inline Image level (Image whole, int64_t size)
{
  auto columns = means (whole);
  Line total (columns.size ()), errors (columns.size ());
  for (int time = 0; time < 3; time++) {
    const auto smooth = medians_across (columns, size);
    for (size_t c = 0; c < columns.size (); c++) {
      auto above = differences (columns[c], smooth[c]);
      const auto by = middle (above);
      lower (above, by);
      errors[c] = standard_error (above);
      lower (columns[c], by);
      total[c] += by;
    }
  }
  Line profile{0}, rough, sizes;
  for (size_t c = 1; c < columns.size (); c++)
    profile.push_back (profile.back () + middle (differences (columns[c], columns[c - 1])));
  for (int64_t c = 0; c < std::ssize (profile); c++) {
    double sum = 0, weights = 0;
    for (int d = -12; d <= 12; d++) {
      sum += std::exp (-d * d / 18.0) * profile[near (c + d, profile.size ())];
      weights += std::exp (-d * d / 18.0);
    }
    rough.push_back (profile[static_cast<size_t> (c)] - sum / weights);
    sizes.push_back (std::abs (rough.back ()));
  }
  for (size_t c = 0; c < columns.size (); c++) {
    const auto by = total[c] + (sizes[c] <= 4 * 1.4826 * middle (sizes) ? rough[c] : 0);
    if (std::abs (by) > 2 * errors[c])
      lower (whole[c], by * (1 - std::pow (2 * errors[c] / by, 2)));
  }
  return whole;
}

inline Image wanted (const std::string &method, const Image &in)
{
  if (method == "offset")
    return level (in, 9);
  if (method == "bridged offset")
    return level (without_dead (in, 2.5, 21), 9);
  if (method == "sorting")
    return sorting (in, 9);
  if (method == "large")
    return large (in, 2.5, 21, 0.2);
  const auto good = large (without_dead (in, 2.5, 21), 2.5, 21, 0.2);
  return method == "dead" ? good : sorting (good, 9);
}

} // namespace sino::test::stripes
