// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of nodes that make a scan: angles, axis and beam.
#pragma once
#include "glue/beam.hpp"
#include <cmath>

namespace sino {

// `n` evenly spaced angles in radians, from "start:stop" in degrees, stop excluded.
inline std::vector<double> spread_angles (const std::string &range, int64_t n)
{
  const auto ends = parse_numbers (range, ':');
  if (ends.size () != 2 || !(std::abs (ends[0]) <= 1e9) || !(std::abs (ends[1]) <= 1e9))
    fail (SINO_ERROR_BAD_PROPERTY, "angles must be start:stop in degrees, such as 0:180, not '%s'", range.c_str ());
  std::vector<double> angles;
  for (int64_t i = 0; i < n; i++)
    angles.push_back (radians (ends[0] + (ends[1] - ends[0]) * static_cast<double> (i) / static_cast<double> (n)));
  return angles;
}

struct ScanSettings {
  static constexpr const char *usual_angles = "0:180";

  int projections = 512;
  std::string angles = usual_angles, axis = "auto";
  BeamSettings beam;

  static constexpr auto properties = joined (
      std::array{
          prop<&ScanSettings::projections> ("projections", "Number of projections", Range{1, 1 << 24}),
          prop<&ScanSettings::angles> ("angles", "First and last angle in degrees, the last excluded"),
          prop<&ScanSettings::axis> ("axis", "Column of the rotation axis, or auto: width / 2"),
      },
      group<&ScanSettings::beam> ());

  // Geometry for a detector of `width` columns and `height` rows. Throws Error.
  Geometry geometry (int64_t width, int64_t height) const
  {
    double column = 0.5 * static_cast<double> (width);
    if (axis != "auto" && (!parse_number (axis, column) || !(std::abs (column) <= 1e9)))
      fail (SINO_ERROR_BAD_PROPERTY, "axis must be a detector column or auto, not '%s'", axis.c_str ());
    if (!beam.geometry.empty () && angles != usual_angles)
      fail (SINO_ERROR_BAD_PROPERTY, "geometry=%s already gives the angles: leave angles= out", beam.geometry.c_str ());
    Geometry geometry{spread_angles (angles, projections), {}, {}, {}};
    if (beam.geometry.empty () || axis != "auto")
      geometry.axis = {column};
    beam.complete (geometry, width, height, projections);
    return geometry;
  }
};

} // namespace sino
