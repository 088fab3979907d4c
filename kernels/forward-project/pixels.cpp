// SPDX-License-Identifier: LGPL-3.0-or-later
// Transposes pixels: from columns of rays to rows of pixels, and back.
#include "kernels/forward-project/sheets.hpp"
#include <algorithm>

namespace sino::forward_project {

namespace {

constexpr int64_t at_once = 16; // pixels along each side that are transposed together

// Calls visit (column, row) for all pixels, in small squares.
template <class Visit> void for_pixels (Interval columns, Interval rows, Visit visit)
{
  for (auto y = rows.begin; y < rows.end; y += at_once)
    for (auto x = columns.begin; x < columns.end; x += at_once)
      for (auto row = y; row < std::min (y + at_once, rows.end); row++)
        for (auto column = x; column < std::min (x + at_once, columns.end); column++)
          visit (column, row);
}

Interval rows_of (const Detector &detector, const Line &line)
{
  return line.rays.empty () ? Interval{}
                            : Interval{line.rays.begin / detector.down, (line.rays.end - 1) / detector.down + 1};
}

} // namespace

void add_to_pixels (const Detector &detector, Interval columns, const Line &line, int64_t stride, int64_t first_row,
                    float *pixels)
{
  for_pixels (columns, rows_of (detector, line), [&] (int64_t column, int64_t row) {
    const auto begin = std::max (row * detector.down, line.rays.begin),
               end = std::min ((row + 1) * detector.down, line.rays.end);
    float sum = 0;
    for (int i = 0; i < detector.across; i++)
      for (auto ray = begin; ray < end; ray++)
        sum += line.values[((column - columns.begin) * detector.across + i) * stride + ray - line.rays.begin];
    pixels[(row - first_row) * detector.columns + column] += sum;
  });
}

void take_from_pixels (const Detector &detector, Interval columns, const Line &line, int64_t stride, int64_t first_row,
                       const float *pixels)
{
  for_pixels (columns, rows_of (detector, line), [&] (int64_t column, int64_t row) {
    const auto begin = std::max (row * detector.down, line.rays.begin),
               end = std::min ((row + 1) * detector.down, line.rays.end);
    const auto value = pixels[(row - first_row) * detector.columns + column];
    for (int i = 0; i < detector.across; i++)
      for (auto ray = begin; ray < end; ray++)
        line.values[((column - columns.begin) * detector.across + i) * stride + ray - line.rays.begin] = value;
  });
}

} // namespace sino::forward_project
