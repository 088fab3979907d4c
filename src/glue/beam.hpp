// SPDX-License-Identifier: LGPL-3.0-or-later
// How source, axis and detector stand to each other, as properties of the nodes that begin a stream.
#pragma once
#include "base/angle.hpp"
#include "base/error.hpp"
#include "glue/property.hpp"
#include "stream/geometry.hpp"

namespace sino {

struct BeamSettings {
  double source_origin = 0, origin_detector = 0, pixel_size = 0;
  std::string middle_row = "auto";
  double detector_yaw = 0, detector_pitch = 0, detector_roll = 0, axis_tilt = 0, helical_pitch = 0;

  static constexpr Range length{0, 1e9}, turn{-360, 360}, tilt{-89, 89};
  static constexpr std::array properties{
      prop<&BeamSettings::source_origin> (
          "source-origin", "Distance from the source to the axis of rotation; 0: a parallel beam", length),
      prop<&BeamSettings::origin_detector> ("origin-detector", "Distance from the axis of rotation to the detector",
                                            length),
      prop<&BeamSettings::pixel_size> (
          "pixel-size",
          "Distance of detector columns, in the unit of the other lengths; 0: unknown, columns are the unit", length),
      prop<&BeamSettings::middle_row> ("middle-row",
                                       "Row where the ray through the axis that is at right angles to it meets the "
                                       "detector, or auto: height / 2"),
      prop<&BeamSettings::detector_yaw> ("detector-yaw",
                                         "Degrees by which the detector is turned about its rows' "
                                         "direction (z)",
                                         tilt),
      prop<&BeamSettings::detector_pitch> ("detector-pitch",
                                           "Degrees by which it is then turned about its columns' "
                                           "direction (x)",
                                           tilt),
      prop<&BeamSettings::detector_roll> ("detector-roll", "Degrees by which it is then turned about the middle ray",
                                          turn),
      prop<&BeamSettings::axis_tilt> ("axis-tilt",
                                      "Degrees by which the axis of rotation leans towards the detector "
                                      "(laminography)",
                                      tilt),
      prop<&BeamSettings::helical_pitch> ("helical-pitch", "Way of the object along the axis in a whole turn",
                                          Range{-1e9, 1e9}),
  };

  // Parallel, with everything at right angles: angles and an axis say it all.
  bool plain () const
  {
    return source_origin == 0 && middle_row == "auto" && detector_yaw == 0 && detector_pitch == 0 &&
           detector_roll == 0 && axis_tilt == 0 && helical_pitch == 0;
  }

  double unit () const { return pixel_size > 0 ? pixel_size : 1; }

  // `axis`: the column where the middle ray meets the detector. Throws Error.
  std::vector<View> views (double axis, int64_t rows, std::span<const double> angles) const
  {
    if (source_origin > 0 && origin_detector == 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "source-origin=%g wants origin-detector=, the distance from the axis to the detector", source_origin);
    double row = 0.5 * static_cast<double> (rows);
    if (middle_row != "auto" && (!parse_number (middle_row, row) || !std::isfinite (row)))
      fail (SINO_ERROR_BAD_PROPERTY, "middle-row: a detector row or auto is wanted, not '%s'", middle_row.c_str ());
    return views_of ({.source_origin = source_origin,
                      .origin_detector = origin_detector,
                      .pixel_width = unit (),
                      .pixel_height = unit (),
                      .column = axis,
                      .row = row,
                      .yaw = radians (detector_yaw),
                      .pitch = radians (detector_pitch),
                      .roll = radians (detector_roll),
                      .axis_tilt = radians (axis_tilt),
                      .lift = helical_pitch},
                     angles);
  }
};

} // namespace sino
