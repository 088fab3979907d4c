// SPDX-License-Identifier: LGPL-3.0-or-later
// The place of the detector behind the axis of rotation: what the projections of a cone beam can tell. The scale of the
// object is not among it: an object twice as large, twice as far from the source, has the same projections.
#pragma once
#include "stream/view.hpp"
#include <array>

namespace sino::find_geometry {

// A frame of the room: the source at the origin, the axis of rotation along z, y from the source to the axis.
// Unit of length: one column.
struct Detector {
  double axis = 0, row = 0;            // where the ray through the axis at right angles meets the detector
  double distance = 0;                 // from the source to that point
  double yaw = 0, pitch = 0, roll = 0; // radians, as in ScanSetup
  double aspect = 1;                   // height of a row
};

// The numbers to find, and the steps in which they are about equally visible.
enum Number { axis_number, row_number, distance_number, yaw_number, pitch_number, roll_number, numbers };
using Values = std::array<double, numbers>; // columns, rows, logarithm of the distance, radians

Values values_of (const Detector &detector);
Detector detector_of (const Values &values, double aspect);

// Place where a ray of this direction meets the detector: (column, row, 1) * w = panel * direction.
struct Panel {
  std::array<Vector, 3> lines;
  Spot spot (const Vector &direction) const
  {
    const double weight = dot (lines[2], direction);
    return {dot (lines[0], direction) / weight, dot (lines[1], direction) / weight, weight};
  }
};
Panel panel_of (const Detector &detector);

// Vectors of the detector: from the source to its corner, and from one column, or row, to the next.
struct Frame {
  Vector corner, column, row;
};
Frame frame_of (const Detector &detector);

} // namespace sino::find_geometry
