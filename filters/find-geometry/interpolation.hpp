// SPDX-License-Identifier: LGPL-3.0-or-later
// Values between the pixels of an image: a cubic along columns, which follows smooth rows, and linear between rows.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sino::find_geometry {

// Where the eight values around a place are, and their weights.
struct Place {
  size_t first;     // of four values; four more are a row below
  float weights[4]; // Catmull-Rom
  float share;      // of the row below
};

// False if the place is too near to a border. `column`, `row`: places of the image, whose pixels are 1 wide.
inline bool find_place (int64_t columns, int64_t rows, double column, double row, Place &place)
{
  const double u = column - 0.5, v = row - 0.5;
  const auto left = static_cast<int64_t> (std::floor (u)), top = static_cast<int64_t> (std::floor (v));
  if (top < 0 || top + 1 >= rows || left < 1 || left + 2 >= columns)
    return false;
  const auto t = static_cast<float> (u - static_cast<double> (left));
  place = {static_cast<size_t> (top * columns + left - 1),
           {0.5f * t * (-1 + t * (2 - t)), 0.5f * (2 + t * t * (-5 + 3 * t)), 0.5f * t * (1 + t * (4 - 3 * t)),
            0.5f * t * t * (t - 1)},
           static_cast<float> (v - static_cast<double> (top))};
  return true;
}

inline double value_at (const float *image, int64_t columns, const Place &place)
{
  const float *above = image + place.first, *below = above + columns;
  float sum = 0;
  for (int i = 0; i < 4; i++)
    sum += place.weights[i] * ((1 - place.share) * above[i] + place.share * below[i]);
  return static_cast<double> (sum);
}

} // namespace sino::find_geometry
