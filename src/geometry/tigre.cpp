// SPDX-License-Identifier: LGPL-3.0-or-later
// TIGRE has no file format. The JSON has the members of its structure, with lists in the order of its Python interface
// (z, y, x and v, u). At angle 0 the source is on the x axis, and y runs along the columns. The origin of coordinates
// is the middle of the volume.
#include "geometry/tigre.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include <cmath>

namespace sino {

namespace {

// A member of the structure: its numbers are for all projections, or there are numbers for each.
class Values
{
public:
  Values (const std::map<std::string, JsonCursor> &keys, const char *name, size_t w, int64_t projections, double value)
      : width (w)
  {
    const auto found = keys.find (name);
    if (found == keys.end ()) {
      list.assign (width, value);
      return;
    }
    const auto &cursor = found->second;
    const auto parts = cursor.is_array () ? cursor.elements () : std::vector{cursor};
    const bool nested = width > 1 && !parts.empty () && parts[0].is_array ();
    for (const auto &part : parts) {
      step_unless_cancelled ();
      if (!nested)
        list.push_back (number (part));
      else {
        const auto inner = part.elements ();
        if (inner.size () != width)
          part.refuse (text ("it must have %zu numbers", width));
        for (const auto &each : inner)
          list.push_back (number (each));
      }
    }
    const auto n = static_cast<size_t> (projections);
    if (list.size () != width && (list.size () != width * n || (width > 1 && !nested)))
      cursor.refuse (
          width == 1
              ? text ("it must be a number, or a list of %zu, one for each projection", n)
              : text ("it must be a list of %zu numbers, or one such list for each of %zu projections", width, n));
  }

  double at (size_t projection, size_t i) const { return list[list.size () == width ? i : projection * width + i]; }

private:
  size_t width;
  std::vector<double> list;

  static double number (const JsonCursor &cursor)
  {
    const double value = cursor.number ();
    if (std::abs (value) > 1e12)
      cursor.refuse ("it must be a number from -1e12 to 1e12");
    return value;
  }
};

// Rotates in the plane of two axes, from a towards b.
void turn (double &a, double &b, double angle)
{
  const double before = a;
  a = std::cos (angle) * a - std::sin (angle) * b;
  b = std::sin (angle) * before + std::cos (angle) * b;
}

} // namespace

std::vector<View> parse_tigre (const std::string &content, const Panel &panel, int64_t projections)
{
  scan_json (content);
  const JsonDocument document (content);
  const auto keys =
      document.root ().object ({"DSD", "DSO", "dDetector", "nDetector", "sDetector", "offDetector", "offOrigin",
                                "rotDetector", "COR", "angles", "mode", "nVoxel", "sVoxel", "dVoxel", "accuracy"},
                               {"DSD", "DSO", "dDetector", "nDetector", "angles"});
  const auto values = [&] (const char *name, size_t width, double otherwise = 0) {
    return Values (keys, name, width, projections, otherwise);
  };
  if (panel.pixel > 0 || panel.column || panel.row)
    fail (SINO_ERROR_BAD_PROPERTY, "the file gives the whole geometry: leave pixel-size=, axis= and middle-row= out");
  const auto pixels = values ("nDetector", 2);
  if (pixels.at (0, 0) != static_cast<double> (panel.rows) || pixels.at (0, 1) != static_cast<double> (panel.columns))
    fail (SINO_ERROR_BAD_FILE,
          "$.nDetector: %g rows and %g columns, but the scan has %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT,
          pixels.at (0, 0), pixels.at (0, 1), panel.rows, panel.columns);
  const auto mode = keys.contains ("mode") ? keys.at ("mode").string () : "cone";
  if (mode != "cone" && mode != "parallel")
    keys.at ("mode").refuse ("it must be cone or parallel");
  const auto angles = keys.at ("angles").elements ();
  if (std::ssize (angles) != projections)
    keys.at ("angles").refuse (text ("%" G_GINT64_FORMAT
                                     " angles in radians are needed, one for each projection, but there are %zu",
                                     projections, angles.size ()));
  const auto to_detector = values ("DSD", 1), to_origin = values ("DSO", 1), size = values ("dDetector", 2),
             shift = values ("offDetector", 2), origin = values ("offOrigin", 3), tilt = values ("rotDetector", 3),
             centre = values ("COR", 1), angle = values ("angles", 1);
  for (size_t i = 0; i < static_cast<size_t> (projections); i++)
    if (!(size.at (i, 0) > 0 && size.at (i, 1) > 0))
      keys.at ("dDetector").refuse ("the sizes of a pixel must be above 0");
  std::vector<View> views;
  for (size_t i = 0; i < static_cast<size_t> (projections); i++) {
    // The rotation about the ray (roll) comes last; in TIGRE's notation: Rz(roll) Ry(pitch) Rx(yaw).
    const auto tilted = [&] (Vector v) {
      turn (v.y, v.z, tilt.at (i, 2));
      turn (v.z, v.x, tilt.at (i, 1));
      turn (v.x, v.y, tilt.at (i, 0));
      return v;
    };
    const auto round = [&] (Vector v) {
      turn (v.x, v.y, angle.at (i, 0));
      return v;
    };
    const auto column = tilted ({0, size.at (i, 1), 0}), row = tilted ({0, 0, size.at (i, 0)});
    const Vector moved{0, centre.at (i, 0), 0}, volume{origin.at (i, 2), origin.at (i, 1), origin.at (i, 0)};
    const Vector middle{to_origin.at (i, 0) - to_detector.at (i, 0), shift.at (i, 1), shift.at (i, 0)};
    const auto corner = middle - panel.middle_column () * column - panel.middle_row () * row;
    const bool parallel = mode == "parallel";
    views.push_back ({parallel,
                      parallel ? round ({-1, 0, 0}) : round (Vector{to_origin.at (i, 0), 0, 0} + moved) - volume,
                      round (corner + moved) - volume, round (column), round (row)});
  }
  return views;
}

} // namespace sino
