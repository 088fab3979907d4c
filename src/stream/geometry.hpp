// SPDX-License-Identifier: LGPL-3.0-or-later
// The paths of the rays. Part of the format; conventions in docs/guide/geometry.md.
#pragma once
#include "stream/view.hpp"
#include <optional>
#include <vector>

namespace sino {

struct Geometry {
  std::vector<double> angles;       // radians, one per projection; empty while unknown
  std::vector<double> axis;         // rotation axis in detector columns: none, one, or one per projection
  std::vector<View> views;          // one per projection; empty: a parallel beam perpendicular to axis and detector
  std::optional<double> pixel_size; // distance of detector columns, in the scan's unit of length
  bool in_mm = false;               // whether that unit is known to be mm
  std::optional<double> energy;     // energy of the X-rays in keV
  std::optional<double> distance;   // distance between sample and detector in m
  double rows_apart = 1; // distance of detector rows, and of slices made from them, relative to that of columns
};

} // namespace sino
