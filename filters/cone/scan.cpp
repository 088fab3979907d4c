// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone/scan.hpp"
#include "base/angle.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace sino::cone {

static constexpr double turn = 2 * std::numbers::pi;

std::vector<View> views_of (const Format &projections)
{
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
  views.reserve (angles);
  for (size_t i = 0; i < angles; i++) {
    step_unless_cancelled ();
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
    fail (SINO_ERROR_BAD_FORMAT, "the rays are parallel to the axis of rotation");
  return 1 / length (flat) * flat;
}

// Density of rays, for a source, an axis, and a detector at distance D whose normal is turned by a from the middle ray.
// For a fan, dl dt = R cos (fan) dfan dt; 1 / w^2 accounts for the ramp's variable along the detector. What remains is
// R / D = w (origin) / cos (a), divided by the columns' width.
double density_of (const View &view)
{
  const auto normal = cross (view.column, view.row);
  const Vector flat{normal.x, normal.y, 0};
  const double lean = std::abs (dot (flat, heading_of (view))) / length (normal);
  if (!(lean > 1e-3))
    fail (SINO_ERROR_BAD_FORMAT, "the detector lies in the plane of rotation, or is parallel to the middle ray: "
                                 "filtered back-projection has no weights for it");
  return matrix_of (view)[2][3] * length (flat) / (lean * length (normal) * length (view.column));
}

namespace {

// Radians from one projection to the next; none if the angles are not evenly spaced.
std::optional<double> even_step (const std::vector<double> &angles)
{
  const double mean = (angles.back () - angles.front ()) / static_cast<double> (angles.size () - 1);
  for (size_t i = 1; i < angles.size (); i++) {
    step_unless_cancelled ();
    if (!(std::abs (angles[i] - angles[i - 1] - mean) < 0.5 * std::abs (mean)))
      return {};
  }
  return mean;
}

// Coverage of evenly spaced projections: full turns, a part of one, or a helix.
Coverage even_coverage (const std::vector<double> &angles, double mean)
{
  const auto n = static_cast<double> (angles.size ());
  Coverage covered;
  covered.step = std::abs (mean);
  covered.range = n * covered.step;
  covered.falling = mean < 0;
  const double turns = std::round (covered.range / turn);
  if (turns >= 1 && std::abs (covered.range - turns * turn) <= 0.5 * covered.step)
    covered.turns = static_cast<int> (turns);
  covered.steps.assign (angles.size (), covered.step);
  for (const auto angle : angles)
    covered.places.push_back (std::abs (angle - angles.front ()));
  return covered;
}

// Whether all steps are equal, so that all projections have one weight.
bool alike (const Directions &directions)
{
  const auto shares = directions.shares ();
  return std::ranges::min (shares) == std::ranges::max (shares);
}

constexpr double narrow_gap = 5 * std::numbers::pi / 180; // smaller gaps do not end a scan: projections are missing

// Coverage of projections in any order, over a full turn or a part: each represents the gaps to its neighbours.
Coverage coverage_in_any_order (const std::vector<double> &angles, const Directions &directions)
{
  Coverage covered;
  std::vector<DirectionGap> missing;
  for (const auto &gap : directions.missing_gaps ())
    (gap.width > narrow_gap ? missing : covered.gaps).push_back (gap);
  if (missing.size () > 1)
    fail (SINO_ERROR_BAD_FORMAT,
          "no projection was taken from %.4g to %.4g degrees, nor from %.4g to %.4g: use a whole turn, or one part of "
          "a turn without gaps; correct angles= of the source if the angles are wrong",
          degrees (missing[0].begin), degrees (missing[0].begin + missing[0].width), degrees (missing[1].begin),
          degrees (missing[1].begin + missing[1].width));
  covered.turns = missing.empty () ? 1 : 0;
  covered.range = missing.empty () ? turn : turn - missing[0].width + missing[0].usual;
  covered.step = covered.range / static_cast<double> (angles.size ());
  const double begin = missing.empty () ? 0 : missing[0].begin + missing[0].width - 0.5 * missing[0].usual;
  covered.steps = directions.shares ();
  for (auto &step : covered.steps)
    step *= covered.range / turn;
  for (const auto angle : angles)
    covered.places.push_back (angle - begin - turn * std::floor ((angle - begin) / turn));
  return covered;
}

} // namespace

Coverage coverage_of (const Format &projections, const std::vector<View> &views)
{
  const auto &angles = projections.geometry->angles;
  const auto n = static_cast<double> (angles.size ()), rows = static_cast<double> (projections.rows ());
  if (angles.size () < 2)
    return {.step = turn, .turns = 1, .range = turn, .steps = {turn}, .places = {0}};
  check_cancelled (); // copying many views may have taken long
  check_angles_differ (projections);
  const auto height = [&] (const View &view) {
    return view.parallel ? (view.corner + 0.5 * rows * view.row).z : view.source.z;
  };
  const auto [lowest, highest] = std::ranges::minmax (views, cancellable (std::less ()), height);
  const double seen = rows * length (views[0].row) * matrix_of (views[0])[2][3];
  const auto even = even_step (angles);
  const bool rises = (height (highest) - height (lowest)) * n > 0.5 * seen * (n - 1);
  if (!even && rises)
    fail (SINO_ERROR_BAD_FORMAT, "the projections of a helix have uneven angles, and no weights are known for this: "
                                 "correct angles= of the source if the angles are wrong");
  auto covered = even_coverage (angles, even.value_or (turn));
  covered.height = height (views.front ());
  covered.lift = (height (views.back ()) - covered.height) / (n - 1);
  covered.helix = rises && covered.range >= turn - 0.5 * covered.step;
  if (const double whole = turn / covered.step; covered.helix && whole < 3)
    fail (SINO_ERROR_BAD_FORMAT, "there are %.3g projections in a turn: at least 3 are needed", whole);
  if (const double pitch = std::abs (covered.lift) * turn / covered.step; covered.helix && pitch > seen)
    fail (SINO_ERROR_BAD_FORMAT,
          "the helix rises by %.6g in a turn, and the detector sees %.6g at the axis: the object between the turns was "
          "not measured",
          pitch, seen);
  if (covered.helix)
    return covered;
  const Directions directions (angles, turn);
  if (const auto count = directions.count (); count < 3)
    fail (SINO_ERROR_BAD_FORMAT, "the projections have %zu directions: at least 3 are needed", count);
  const bool usual = even && (covered.turns > 0 || covered.range < turn);
  return usual && alike (directions) ? covered : coverage_in_any_order (angles, directions);
}

Interval turn_around (double z, const Coverage &coverage, int64_t projections)
{
  const auto count = std::min (projections, static_cast<int64_t> (std::lround (turn / coverage.step)));
  const double first = (z - coverage.height) / coverage.lift - 0.5 * static_cast<double> (count - 1);
  const auto begin = std::lround (std::clamp (first, 0.0, static_cast<double> (projections - count)));
  return {begin, begin + count};
}

} // namespace sino::cone
