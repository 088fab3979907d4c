// SPDX-License-Identifier: LGPL-3.0-or-later
// Positions of source, axis and detector, as properties of source nodes.
#pragma once
#include "base/angle.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "formats/stated-scan.hpp"
#include "geometry/file.hpp"
#include "glue/property.hpp"
#include "stream/geometry.hpp"

namespace sino {

struct BeamSettings {
  std::string geometry;
  double source_origin = 0, origin_detector = 0, pixel_size = 0;
  std::string middle_row = "auto";
  double detector_yaw = 0, detector_pitch = 0, detector_roll = 0, axis_tilt = 0, helical_pitch = 0;

  static constexpr Range length{0, 1e9}, turn{-360, 360}, tilt{-89, 89};
  static constexpr std::array properties{
      prop<&BeamSettings::geometry> ("geometry",
                                     "File with the geometry of every projection, instead of the properties below: "
                                     "RTK's XML, TIGRE's structure as JSON, ASTRA's vectors, or projection matrices"),
      prop<&BeamSettings::source_origin> (
          "source-origin", "Distance from the source to the axis of rotation; 0: a parallel beam", length),
      prop<&BeamSettings::origin_detector> ("origin-detector", "Distance from the axis of rotation to the detector",
                                            length),
      prop<&BeamSettings::pixel_size> ("pixel-size",
                                       "Detector pitch: distance of neighbouring columns, in the unit of the other "
                                       "lengths; 0: unknown, the unit is a column",
                                       length),
      prop<&BeamSettings::middle_row> (
          "middle-row", "Detector row hit by the ray that crosses the axis at a right angle, or auto: height / 2"),
      prop<&BeamSettings::detector_yaw> ("detector-yaw", "Rotation of the detector about z, in degrees", tilt),
      prop<&BeamSettings::detector_pitch> ("detector-pitch",
                                           "Then rotation of the detector about its x direction, in degrees", tilt),
      prop<&BeamSettings::detector_roll> ("detector-roll",
                                          "Then rotation of the detector about the middle ray, in degrees", turn),
      prop<&BeamSettings::axis_tilt> (
          "axis-tilt", "Tilt of the axis of rotation towards the detector, in degrees (laminography)", tilt),
      prop<&BeamSettings::helical_pitch> ("helical-pitch", "Movement of the object along the axis in a whole turn",
                                          Range{-1e9, 1e9}),
  };

  // Whether the beam is parallel with all angles right, so that projection angles and an axis describe the geometry.
  bool plain () const { return geometry.empty () && middle_row == "auto" && no_numbers (); }

  // Completes the geometry of a scan, which has its angles, with these settings, and with what its file states beside
  // them. `scan.axis`: the column where the central ray meets the detector; empty: the middle. Throws Error.
  void complete (Geometry &scan, int64_t columns, int64_t rows, int64_t projections,
                 const formats::StatedScan &stated = {}) const
  {
    if (!scan.views.empty () && geometry.empty () && source_origin == 0)
      if (const auto asked = changed (); !asked.empty ())
        fail (SINO_ERROR_BAD_PROPERTY,
              "%s: the file gives the positions of source and detector for each projection: leave it out, or give "
              "source-origin= and origin-detector= as well",
              asked.c_str ());
    if (pixel_size > 0 && pixel_size < 1e-30)
      fail (SINO_ERROR_BAD_PROPERTY, "pixel-size=%g must be at least 1e-30", pixel_size);
    if (pixel_size > 0) {
      scan.pixel_size = pixel_size;
      scan.in_mm = stated.source_origin > 0 && source_origin == 0 && geometry.empty (); // as the distances of the file
    }
    if (!geometry.empty ())
      load (scan, columns, rows, projections);
    else if (!plain () || ((stated.has_views () || !stated.lacks.empty ()) && !scan.angles.empty ())) {
      const auto all = over (stated);
      if (!stated.lacks.empty () && !(all.source_origin > 0 && all.origin_detector > 0 && scan.pixel_size))
        fail (SINO_ERROR_BAD_FILE, "%s", stated.lacks.c_str ());
      build (scan, columns, rows, projections, all);
    }
  }

private:
  // The first property that is set; "" if there is none.
  std::string changed () const
  {
    const BeamSettings usual;
    for (const auto &property : properties)
      if (auto word = property.word (property, this); word != property.word (property, &usual))
        return std::string (property.name) + "=" + word;
    return {};
  }

  bool no_numbers () const
  {
    return source_origin == 0 && origin_detector == 0 && detector_yaw == 0 && detector_pitch == 0 &&
           detector_roll == 0 && axis_tilt == 0 && helical_pitch == 0;
  }

  // What a file states, with the numbers of the properties that are set.
  formats::StatedScan over (formats::StatedScan stated) const
  {
    const std::pair<double, double *> numbers[] = {{source_origin, &stated.source_origin},
                                                   {origin_detector, &stated.origin_detector},
                                                   {detector_yaw, &stated.yaw},
                                                   {detector_pitch, &stated.pitch},
                                                   {detector_roll, &stated.roll},
                                                   {axis_tilt, &stated.axis_tilt}};
    for (const auto &[set, number] : numbers)
      if (set != 0)
        *number = set;
    if (const auto set = row ())
      stated.row = set;
    return stated;
  }

  std::optional<double> row () const
  {
    double number = 0;
    if (middle_row == "auto")
      return {};
    if (!parse_number (middle_row, number) || !(std::abs (number) <= 1e9))
      fail (SINO_ERROR_BAD_PROPERTY, "middle-row must be a detector row or auto, not '%s'", middle_row.c_str ());
    return number;
  }

  void load (Geometry &scan, int64_t columns, int64_t rows, int64_t projections) const
  {
    if (!no_numbers ())
      fail (SINO_ERROR_BAD_PROPERTY,
            "geometry=%s gives the positions of source and detector: leave source-origin=, origin-detector=, "
            "detector-yaw=, detector-pitch=, detector-roll=, axis-tilt= and helical-pitch= out",
            geometry.c_str ());
    Panel panel{columns, rows, pixel_size, {}, row (), scan.pixel_size.value_or (0)};
    if (!scan.axis.empty ())
      panel.column = scan.axis[0];
    scan.views = read_geometry (geometry, panel, projections);
    scan.angles = angles_of (scan.views);
    scan.axis.clear ();
    scan.pixel_size = sino::length (scan.views[0].column);
    scan.in_mm = false;
  }

  void build (Geometry &scan, int64_t columns, int64_t rows, int64_t projections, const formats::StatedScan &all) const
  {
    if (no_numbers () && !all.has_views ())
      fail (SINO_ERROR_BAD_PROPERTY,
            "middle-row=%s is for a cone or tilted beam: give source-origin= and origin-detector= as well, or leave it "
            "out",
            middle_row.c_str ());
    if (all.source_origin > 0 && all.origin_detector == 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "source-origin=%g wants origin-detector=, the distance from the axis to the detector", all.source_origin);
    if (all.source_origin == 0 && all.origin_detector > 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "origin-detector=%g wants source-origin=, the distance from the source to the axis; a parallel beam has "
            "neither",
            all.origin_detector);
    if (static_cast<int64_t> (scan.angles.size ()) != projections)
      fail (SINO_ERROR_BAD_PROPERTY,
            "the scan has no angles, so that the positions of source and detector are unknown: set angles=");
    const double unit = scan.pixel_size.value_or (1);
    const double middle_column = 0.5 * static_cast<double> (columns), middle = 0.5 * static_cast<double> (rows);
    ScanSetup setup{.source_origin = all.source_origin,
                    .origin_detector = all.origin_detector,
                    .pixel_width = unit,
                    .pixel_height = all.aspect * unit,
                    .yaw = radians (all.yaw),
                    .pitch = radians (all.pitch),
                    .roll = radians (all.roll),
                    .axis_tilt = radians (all.axis_tilt),
                    .lift = helical_pitch};
    const auto at = [] (const std::vector<double> &list, size_t i, double otherwise) {
      return list.empty () ? otherwise : list[list.size () == 1 ? 0 : i];
    };
    scan.views.clear ();
    scan.views.reserve (scan.angles.size ());
    for (size_t i = 0; i < scan.angles.size (); i++) {
      step_unless_cancelled ();
      setup.column = at (scan.axis, i, middle_column) + at (all.column_shifts, i, 0);
      setup.row = all.row.value_or (middle) + at (all.row_shifts, i, 0);
      scan.views.push_back (views_of (setup, std::span (&scan.angles[i], 1))[0]);
    }
    try {
      check_views (scan.views);
    } catch (const Error &bad) {
      fail (SINO_ERROR_BAD_PROPERTY,
            "source-origin=%g, origin-detector=%g, pixel-size=%g and a middle ray at column %g do not fit together: %s",
            all.source_origin, all.origin_detector, unit, setup.column, bad.what ());
    }
  }
};

} // namespace sino
