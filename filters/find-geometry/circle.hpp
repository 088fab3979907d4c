// SPDX-License-Identifier: LGPL-3.0-or-later
// The views of a scan whose source moves in a circle, as the place of one detector.
#pragma once
#include "filters/find-geometry/detector.hpp"
#include "stream/format.hpp"
#include <optional>
#include <string>

namespace sino::find_geometry {

struct Circle {
  Detector detector;
  double pixel = 1;         // width of a column, in the scan's unit of length
  double magnification = 1; // distance of the detector, relative to that of the axis
  double turned = 0;        // radians that the source is ahead of the angles
  double height = 0;        // of the plane of the source, along the axis
};

// None if the source does not move in a circle around the axis, with a detector that moves along: `why` gets the
// reason.
std::optional<Circle> circle_of (const Geometry &geometry, std::string &why);

std::vector<View> views_of (const Circle &circle, std::span<const double> angles);

} // namespace sino::find_geometry
