// SPDX-License-Identifier: LGPL-3.0-or-later
// Interpolates between the pixels of an image.
#pragma once
#include "stream/rows.hpp"

namespace sino::move_pixels {

// Positions along one axis: whole pixels, and the distance after their centres, 0 to 1.
struct Places {
  int32_t *whole;
  float *behind;
};

// Splits positions into whole pixels and fractions. Positions outside [-border, extent - 1 + border], and NaN, are
// moved to the ends. Returns the range of the whole pixels.
Interval split_places (const double *places, int64_t count, int64_t extent, int64_t border, Places to);

// Part of an image, or of its spline coefficients.
struct Plane {
  const float *values;
  Interval columns, rows;
};

// Values at positions between the columns of a row or, with `rows`, between four pixels; or on the spline with 4 or 4 x
// 4 coefficients. Linear interpolation ignores NaN in pixels with weight 0.
void sample_linear (const Plane &plane, const Places *rows, int64_t row, const Places &columns, int64_t count,
                    float *out);
void sample_cubic (const Plane &plane, const Places *rows, int64_t row, const Places &columns, int64_t count,
                   float *out);

} // namespace sino::move_pixels
