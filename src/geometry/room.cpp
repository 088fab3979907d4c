// SPDX-License-Identifier: LGPL-3.0-or-later
#include "geometry/room.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cmath>

namespace sino {

static Vector direction (const Vector &v, const char *what)
{
  const double size = length (v);
  if (!(size >= 1e-12 && size <= 1e12))
    fail (SINO_ERROR_BAD_FILE, "%s has no direction", what);
  return 1 / size * v;
}

SetupOfRoom setup_of (const Room &room)
{
  const auto axis = direction (room.axis, "the axis"), y = direction (room.point - room.source, "the middle ray");
  const auto beside = cross (y, axis);
  if (!(length (beside) > 1e-3))
    fail (SINO_ERROR_BAD_FILE, "the axis lies along the beam");
  const auto x = direction (beside, "the axis"), z = cross (x, y);
  const auto across = direction (room.column, "the detector's column"), down = direction (room.row, "its row");
  if (!(std::abs (dot (across, down)) < 1e-6))
    fail (SINO_ERROR_BAD_FILE, "the detector's rows are not at right angles to its columns");
  const auto normal = cross (down, across);
  const double towards = dot (y, normal);
  if (!(towards > 1e-3))
    fail (SINO_ERROR_BAD_FILE, "the ray through the axis does not meet the front of the detector");
  ScanSetup setup;
  setup.source_origin = length (room.point - room.source);
  const double distance = dot (room.corner - room.source, normal) / towards;
  setup.origin_detector = distance - setup.source_origin;
  setup.pixel_width = length (room.column);
  setup.pixel_height = length (room.row);
  const auto spot = room.source + distance * y - room.corner;
  setup.column = dot (spot, across) / setup.pixel_width;
  setup.row = dot (spot, down) / setup.pixel_height;
  // The detector's directions in (x, y, z) are the columns of Ry(roll) Rx(pitch) Rz(yaw); the axis is that of Rx(tilt).
  const auto angle_of = [] (double sine) { return -std::asin (std::clamp (sine, -1.0, 1.0)); };
  setup.axis_tilt = angle_of (dot (axis, y));
  setup.pitch = angle_of (dot (down, y));
  setup.roll = std::atan2 (dot (down, x), dot (down, z));
  setup.yaw = std::atan2 (dot (across, y), dot (normal, y));
  const auto right = direction (cross (room.forward, axis), "the object"); // its x axis
  return {setup, std::atan2 (-dot (x, cross (axis, right)), dot (x, right))};
}

} // namespace sino
