// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/detector.hpp"
#include <cmath>

namespace sino::find_geometry {

Values values_of (const Detector &detector)
{
  return {detector.axis, detector.row, std::log (detector.distance), detector.yaw, detector.pitch, detector.roll};
}

Detector detector_of (const Values &values, double aspect)
{
  return {.axis = values[axis_number],
          .row = values[row_number],
          .distance = std::exp (values[distance_number]),
          .yaw = values[yaw_number],
          .pitch = values[pitch_number],
          .roll = values[roll_number],
          .aspect = aspect};
}

Frame frame_of (const Detector &detector)
{
  // At 0 degrees the object's coordinates are those of the room.
  const double at_0[] = {0};
  const auto view = sino::views_of ({.source_origin = detector.distance,
                                     .origin_detector = 0,
                                     .pixel_width = 1,
                                     .pixel_height = detector.aspect,
                                     .column = detector.axis,
                                     .row = detector.row,
                                     .yaw = detector.yaw,
                                     .pitch = detector.pitch,
                                     .roll = detector.roll,
                                     .shifts = {}},
                                    at_0)[0];
  return {view.corner - view.source, view.column, view.row};
}

Panel panel_of (const Detector &detector)
{
  const auto [corner, column, row] = frame_of (detector);
  const auto matrix =
      matrix_of ({.parallel = false, .source = {0, 0, 0}, .corner = corner, .column = column, .row = row});
  const auto line = [&] (size_t i) { return Vector{matrix[i][0], matrix[i][1], matrix[i][2]}; };
  return {{line (0), line (1), line (2)}};
}

} // namespace sino::find_geometry
