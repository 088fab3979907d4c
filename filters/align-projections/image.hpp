// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections in memory, and how far one is displaced against another.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sino::align_projections {

struct Size {
  int64_t rows, columns;
  size_t values () const { return static_cast<size_t> (rows * columns); }
};

// The values of both images at a pixel. Where one is no number it is taken from the other, so that it shows no
// displacement.
struct Values {
  double measured, computed;

  Values (float m, float c) : measured (static_cast<double> (m)), computed (static_cast<double> (c))
  {
    if (!std::isfinite (measured))
      measured = std::isfinite (computed) ? computed : 0;
    if (!std::isfinite (computed))
      computed = measured;
  }
};

// Fewer values along an axis do not show a displacement.
constexpr int64_t least_values = 16;

// How far the measured image is displaced against the computed one along an axis, in pixels.
struct Found {
  double shift = 0;
  bool sure = false; // whether the images show enough for it
};

// A displacement with a greater standard error is not sure.
constexpr double most_error = 0.25;
// Both images are attenuation: with a smaller factor between them it is their noise that is alike.
constexpr double least_gain = 0.2;

} // namespace sino::align_projections
