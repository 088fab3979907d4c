// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/circle.hpp"
#include "base/cancellation.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::find_geometry {
namespace {

constexpr double alike = 1e-3; // columns, and radians by which views may differ

Vector turned_about_z (const Vector &v, double angle)
{
  const double c = std::cos (angle), s = std::sin (angle);
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

// The place of a view's detector in the room in which its source is at (0, -R, height).
std::optional<Circle> circle_of (const View &view, double angle)
{
  Circle circle;
  const double to_axis = std::hypot (view.source.x, view.source.y);
  const double heading = std::atan2 (-view.source.x, -view.source.y); // the source is at -R (sin, cos)
  circle.turned = std::remainder (heading - angle, 2 * std::numbers::pi);
  circle.height = view.source.z;
  const auto room = [&] (const Vector &v) { return turned_about_z (v, heading); };
  circle.pixel = length (view.column);
  auto &detector = circle.detector;
  detector.aspect = length (view.row) / circle.pixel;
  const auto corner = 1 / circle.pixel * room (view.corner - view.source),
             column = 1 / circle.pixel * room (view.column), row = 1 / circle.pixel * room (view.row);
  if (!(to_axis > 0) || std::abs (dot (column, row)) > alike * detector.aspect)
    return {};
  const auto up = 1 / detector.aspect * row;
  detector.pitch = -std::asin (std::clamp (up.y, -1.0, 1.0));
  detector.roll = std::atan2 (up.x, up.z);
  // Without roll and pitch, the columns run along (cos yaw, sin yaw, 0).
  const double c = std::cos (detector.roll), s = std::sin (detector.roll);
  const Vector upright{c * column.x - s * column.z, column.y, s * column.x + c * column.z};
  detector.yaw = std::atan2 (upright.y * std::cos (detector.pitch) + upright.z * std::sin (detector.pitch), upright.x);
  const auto matrix =
      matrix_of ({.parallel = false, .source = {0, 0, 0}, .corner = corner, .column = column, .row = row});
  const auto spot = project (matrix, {0, 1, 0});
  detector.axis = spot.column;
  detector.row = spot.row;
  detector.distance = 1 / spot.weight;
  circle.magnification = detector.distance * circle.pixel / to_axis;
  return circle;
}

} // namespace

std::optional<Circle> circle_of (const Geometry &geometry, std::string &why)
{
  const auto &views = geometry.views;
  if (views.empty () || views[0].parallel) {
    why = "the beam is parallel";
    return {};
  }
  const auto first = circle_of (views[0], geometry.angles[0]);
  if (!first || !(first->detector.distance > 0)) {
    why = "rows and columns of the detector are not at right angles, or the detector is behind the source";
    return {};
  }
  const auto wanted = views_of (*first, geometry.angles);
  const double most = alike * length (views[0].column);
  for (size_t i = 0; i < views.size (); i++) {
    step_unless_cancelled ();
    // A shift of the detector in its plane by a thousandth of a column, and the same at the axis.
    if (length (views[i].source - wanted[i].source) > most || length (views[i].corner - wanted[i].corner) > most ||
        length (views[i].column - wanted[i].column) > 1e-6 * length (views[0].column) ||
        length (views[i].row - wanted[i].row) > 1e-6 * length (views[0].row)) {
      why = text ("source and detector do not move in a circle together: projection %zu, counted from 0, is elsewhere",
                  i);
      return {};
    }
  }
  return first;
}

std::vector<View> views_of (const Circle &circle, std::span<const double> angles)
{
  const auto &detector = circle.detector;
  const double whole = detector.distance * circle.pixel, origin = whole / circle.magnification;
  ScanSetup setup{.source_origin = origin,
                  .origin_detector = whole - origin,
                  .pixel_width = circle.pixel,
                  .pixel_height = detector.aspect * circle.pixel,
                  .column = detector.axis,
                  .row = detector.row,
                  .yaw = detector.yaw,
                  .pitch = detector.pitch,
                  .roll = detector.roll};
  std::vector<double> all (angles.begin (), angles.end ());
  for (auto &angle : all)
    angle += circle.turned;
  setup.shifts.assign (all.size (), {0, 0, -circle.height});
  return sino::views_of (setup, all);
}

} // namespace sino::find_geometry
