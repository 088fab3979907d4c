// SPDX-License-Identifier: LGPL-3.0-or-later
// What an image is between its pixels.
#pragma once
#include "stream/rows.hpp"

namespace sino::move_pixels {

// Places along one axis: whole pixels, and how far behind their middles, 0 to 1.
struct Places {
  int32_t *whole;
  float *behind;
};

// Takes places apart; those outside [-border, extent - 1 + border], and those that are no numbers, come from its ends.
// Gives back where the whole pixels lie.
Interval split_places (const double *places, int64_t count, int64_t extent, int64_t border, Places to);

// Part of an image, or of the coefficients of its spline.
struct Plane {
  const float *values;
  Interval columns, rows;
};

// Values at places between the columns of a row of the plane; between four pixels, or on the spline of 4 x 4
// coefficients. What counts for nothing between two pixels may be no number.
void sample_linear (const Plane &plane, int64_t row, Places columns, int64_t count, float *out);
void sample_linear (const Plane &plane, Places columns, Places rows, int64_t count, float *out);
void sample_cubic (const Plane &plane, int64_t row, Places columns, int64_t count, float *out);
void sample_cubic (const Plane &plane, Places columns, Places rows, int64_t count, float *out);

} // namespace sino::move_pixels
