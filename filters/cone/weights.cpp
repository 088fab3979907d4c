// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone/weights.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::cone {

namespace {

constexpr double pi = std::numbers::pi;

double square (double x)
{
  return x * x;
}

// Weight of a ray for a scan over half a turn plus twice `spare`. `fan`: angle from the middle ray, against the sense
// of growing angles (Parker, Med. Phys. 9, 1982).
double parker (double angle, double fan, double spare)
{
  if (angle < 2 * (spare + fan))
    return square (std::sin (0.25 * pi * angle / (spare + fan)));
  if (angle > pi + 2 * fan)
    return square (std::sin (0.25 * pi * (pi + 2 * spare - angle) / (spare - fan)));
  return 1;
}

} // namespace

Weights::Weights (const Format &projections, std::vector<View> views)
    : all (std::move (views)), covered (coverage_of (projections, all)),
      middle_row (0.5 * static_cast<double> (projections.rows ()))
{
  headings.reserve (all.size ());
  for (const auto &view : all) {
    step_unless_cancelled ();
    headings.push_back (heading_of (view));
    upright = upright && view.row.x == 0 && view.row.y == 0;
  }
}

cone_weight::Cosines Weights::cosines (size_t projection, int64_t row) const
{
  const auto &heading = headings[projection];
  const auto &view = all[projection];
  const auto first = ray (projection, 0.5, static_cast<double> (row) + 0.5);
  const auto step = view.parallel ? Vector{0, 0, 0} : view.column;
  return {.along = static_cast<float> (dot (heading, first)),
          .along_step = static_cast<float> (dot (heading, step)),
          .square = static_cast<float> (dot (first, first)),
          .slope = static_cast<float> (2 * dot (first, step)),
          .bend = static_cast<float> (dot (step, step))};
}

void Weights::shares (size_t projection, int64_t row, std::span<float> line) const
{
  if (const double constant = constant_share (); constant > 0)
    std::ranges::fill (line, static_cast<float> (constant));
  else
    for (size_t u = 0; u < line.size (); u++)
      line[u] = static_cast<float> (share (projection, static_cast<double> (u) + 0.5, static_cast<double> (row) + 0.5));
}

// The share if it is the same for all rays, else 0.
double Weights::constant_share () const
{
  if (covered.helix)
    return 0.5; // each slice uses one turn
  return covered.turns > 0 && shorter == 0 ? 0.5 / covered.turns : 0;
}

double Weights::share (size_t projection, double column, double row) const
{
  if (covered.turns > 0)
    return taken_over (distance (projection, column, row)) / covered.turns;
  const double off = fan (projection, ray (projection, column, row));
  return parker (covered.places[projection], covered.falling ? -off : off, 0.5 * (covered.range - pi));
}

// Share of a ray in the blend between both sides of an offset detector: Wang, Med. Phys. 29 (2002).
double Weights::taken_over (double distance) const
{
  return 0.5 + 0.5 * std::sin (0.5 * pi * std::clamp ((left ? distance : -distance) / shorter, -1.0, 1.0));
}

void Weights::take_over (const Sides &sides)
{
  shorter = std::min (sides.left, sides.right);
  left = sides.left < sides.right;
}

Weights::Sides Weights::sides (const Format &projections) const
{
  const auto columns = static_cast<double> (projections.extent (Axis::column)),
             row = 0.5 * static_cast<double> (projections.rows ());
  Sides sides{HUGE_VAL, HUGE_VAL};
  for (size_t i = 0; i < all.size (); i++) {
    step_unless_cancelled ();
    const double a = distance (i, 0, row), b = distance (i, columns, row);
    sides.left = std::min (sides.left, -std::min (a, b));
    sides.right = std::min (sides.right, std::max (a, b));
  }
  return sides;
}

double Weights::reach (double column) const
{
  double least = HUGE_VAL;
  for (size_t i = 0; i < all.size (); i++) {
    step_unless_cancelled ();
    least = std::min (least, std::abs (distance (i, column, middle_row)));
  }
  return least;
}

double Weights::widest_fan (const Format &projections) const
{
  double most = 0;
  for (size_t i = 0; i < all.size (); i++) {
    step_unless_cancelled ();
    for (const double column : {0.5, static_cast<double> (projections.extent (Axis::column)) - 0.5})
      for (const double row : {0.5, static_cast<double> (projections.rows ()) - 0.5})
        most = std::max (most, std::abs (fan (i, ray (i, column, row))));
  }
  return most;
}

Vector Weights::ray (size_t projection, double column, double row) const
{
  const auto &view = all[projection];
  return view.parallel ? view.source : view.corner + column * view.column + row * view.row - view.source;
}

double Weights::fan (size_t projection, const Vector &ray) const
{
  const auto &way = headings[projection];
  return std::atan2 (way.x * ray.y - way.y * ray.x, way.x * ray.x + way.y * ray.y);
}

// Signed distance of a ray from the axis, in the plane of rotation.
double Weights::distance (size_t projection, double column, double row) const
{
  const auto &view = all[projection];
  const auto way = ray (projection, column, row);
  const auto from = view.parallel ? view.corner + column * view.column + row * view.row : view.source;
  return (from.x * way.y - from.y * way.x) / std::hypot (way.x, way.y);
}

} // namespace sino::cone
