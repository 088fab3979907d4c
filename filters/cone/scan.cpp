// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone/scan.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "stream/coverage.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::cone {

static constexpr double turn = 2 * std::numbers::pi;

std::vector<View> views_of (const Format &projections)
{
  if (projections.kind () != Kind::projections)
    fail (SINO_ERROR_BAD_FORMAT, "wants projections (angle, row, column), got %s", projections.describe ().c_str ());
  if (projections.element != Element::f32)
    fail (SINO_ERROR_BAD_FORMAT, "wants f32 projections, got %s: put 'flat-field' before it",
          projections.describe ().c_str ());
  const auto angles = projections.geometry ? projections.geometry->angles.size () : 0;
  if (static_cast<int64_t> (angles) != projections.angles ())
    fail (SINO_ERROR_BAD_FORMAT,
          "there are %zu angles for %" G_GINT64_FORMAT
          " projections: give %s angles=start:stop (degrees, stop excluded)",
          angles, projections.angles (),
          projections.source.empty () ? "the source" : in_quotes (projections.source).c_str ());
  const auto &geometry = *projections.geometry;
  if (!geometry.views.empty ())
    return geometry.views;
  const auto columns = static_cast<double> (projections.extent (Axis::column));
  std::vector<View> views;
  for (size_t i = 0; i < angles; i++) {
    const auto &axis = geometry.axis;
    const double unit = geometry.pixel_size.value_or (1);
    const ScanSetup setup{.pixel_width = unit,
                          .pixel_height = unit,
                          .column = axis.empty () ? 0.5 * columns : axis[axis.size () == 1 ? 0 : i],
                          .row = 0.5 * static_cast<double> (projections.rows ())};
    views.push_back (sino::views_of (setup, std::span (&geometry.angles[i], 1))[0]);
  }
  return views;
}

Vector heading_of (const View &view)
{
  const auto way = view.parallel ? view.source : Vector{0, 0, 0} - view.source;
  const Vector flat{way.x, way.y, 0};
  if (!(length (flat) > 1e-6 * length (way)))
    fail (SINO_ERROR_BAD_FORMAT, "the rays run along the axis of rotation");
  return 1 / length (flat) * flat;
}

// Source, axis and a detector whose normal is turned by a from the middle ray, at a distance of D: a fan's rays dl dt
// are R cos (fan) dfan dt, and the ramp's variable along the detector is what the 1 / w^2 are for. What remains is
// R / D = w (origin) / cos (a), over the columns' width.
double density_of (const View &view)
{
  const auto normal = cross (view.column, view.row);
  const Vector flat{normal.x, normal.y, 0};
  const double lean = std::abs (dot (flat, heading_of (view))) / length (normal);
  if (!(lean > 1e-3))
    fail (SINO_ERROR_BAD_FORMAT, "the detector lies in the plane of rotation, or along the middle ray: filtered "
                                 "back-projection has no weights for it");
  return matrix_of (view)[2][3] * length (flat) / (lean * length (normal) * length (view.column));
}

Coverage coverage_of (const Format &projections, const std::vector<View> &views)
{
  const auto &angles = projections.geometry->angles;
  const auto n = static_cast<double> (angles.size ()), rows = static_cast<double> (projections.rows ());
  if (angles.size () < 2)
    return {turn, 1, turn, false, 0, 0};
  check_angles_differ (projections);
  const double mean = (angles.back () - angles.front ()) / (n - 1), step = std::abs (mean), range = n * step;
  for (size_t i = 1; i < angles.size (); i++)
    if (!(std::abs (angles[i] - angles[i - 1] - mean) < 0.5 * step))
      fail (SINO_ERROR_BAD_FORMAT,
            "the projections are not evenly spread: from %zu to %zu it is %.4g degrees, and %.4g on average", i - 1, i,
            degrees (angles[i] - angles[i - 1]), degrees (mean));
  const double turns = std::round (range / turn);
  const auto height = [&] (const View &view) {
    return view.parallel ? (view.corner + 0.5 * rows * view.row).z : view.source.z;
  };
  const double lift = (height (views.back ()) - height (views.front ())) / (n - 1);
  if (range >= turn - 0.5 * step && step > turn / 3)
    fail (SINO_ERROR_BAD_FORMAT, "there are %.3g projections in a turn: 3 at least are wanted", turn / step);
  const double seen = rows * length (views[0].row) * matrix_of (views[0])[2][3];
  const bool helix = range >= turn - 0.5 * step && std::abs (lift) * n > 0.5 * seen;
  if (const double rest = std::abs (range - step - turns * turn);
      !helix && turns >= 1 && rest < 0.25 * step && turns * turn / step > 3)
    fail (SINO_ERROR_BAD_FORMAT,
          "the last of %zu projections is at the angle of the first, a whole turn later: leave it out, with "
          "projections=0:%zu of "
          "'read'",
          angles.size (), angles.size () - 1);
  if (const double pitch = std::abs (lift) * turn / step; helix && pitch > seen)
    fail (SINO_ERROR_BAD_FORMAT,
          "the helix rises by %.6g in a turn, and the detector sees %.6g at the axis: what is between the turns was "
          "not measured",
          pitch, seen);
  return {step,
          turns >= 1 && std::abs (range - turns * turn) <= 0.5 * step ? static_cast<int> (turns) : 0,
          range,
          helix,
          height (views.front ()),
          lift};
}

Interval turn_around (double z, const Coverage &coverage, int64_t projections)
{
  const auto count = std::min (projections, static_cast<int64_t> (std::lround (turn / coverage.step)));
  const double first = (z - coverage.height) / coverage.lift - 0.5 * static_cast<double> (count - 1);
  const auto begin = std::lround (std::clamp (first, 0.0, static_cast<double> (projections - count)));
  return {begin, begin + count};
}

} // namespace sino::cone
