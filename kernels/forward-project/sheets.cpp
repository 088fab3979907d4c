// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/forward-project/sheets.hpp"
#include <algorithm>
#include <cmath>

namespace sino::forward_project {

namespace {

// Coordinates on the detector of a box around some slices, with a voxel more on each side.
struct Shadow {
  double left = HUGE_VAL, right = -HUGE_VAL, top = HUGE_VAL, bottom = -HUGE_VAL; // in columns and rows
  double nearest = HUGE_VAL, farthest = -HUGE_VAL;                               // depths
};

Shadow shadow_of (const Detector &detector, const Volume &box, Interval slices)
{
  Shadow all;
  for (const auto &corner : kernels::corners (box, slices, 1)) {
    const auto spot = project (detector.matrix, corner);
    all = {std::min (all.left, spot.column), std::max (all.right, spot.column),   std::min (all.top, spot.row),
           std::max (all.bottom, spot.row),  std::min (all.nearest, spot.weight), std::max (all.farthest, spot.weight)};
  }
  return all;
}

Interval around (double least, double most)
{
  return {static_cast<int64_t> (std::floor (least)) - 1, static_cast<int64_t> (std::ceil (most)) + 2};
}

} // namespace

bool are_level (const Detector &detector)
{
  return detector.view.parallel && detector.view.source.z == 0;
}

bool form_sheets (const Volume &volume, const Detector &detector, Interval slices)
{
  const auto &view = detector.view;
  constexpr double straight = 1e-7; // voxels
  const auto columns = static_cast<double> (detector.columns);
  if (!(view.row.z > 0) || std::abs (view.column.z) * columns > straight * volume.size ||
      std::hypot (view.row.x, view.row.y) > straight * view.row.z / columns)
    return false;
  const auto shadow = shadow_of (detector, volume, slices);
  const double apart = view.row.z / detector.down / volume.size;
  if (shadow.nearest <= 0 || apart * shadow.farthest > 1.99)
    return false;
  if (view.parallel)
    return std::abs (view.source.z) < 0.99 * std::max (std::abs (view.source.x), std::abs (view.source.y));
  // The steepest ray: how far slices are above the source, and how far the box is before it, at least.
  const auto outside = [&] (double source, double first, int64_t voxels) {
    return std::max (first - volume.size - source, source - first - volume.size * static_cast<double> (voxels));
  };
  const double away = std::max (outside (view.source.x, volume.first.x, volume.columns),
                                outside (view.source.y, volume.first.y, volume.lines));
  // Numbers of rays count from a ray in the middle of a brick, which must not be beside the source.
  if (away < Brick::side * volume.size)
    return false;
  const auto above = [&] (int64_t z) {
    return std::abs (volume.first.z + volume.size * static_cast<double> (z) - view.source.z);
  };
  return std::max (above (slices.begin - 1), above (slices.end)) < 0.99 * away;
}

std::vector<Sheet> sheets_of (const Volume &volume, const Detector &detector)
{
  std::vector<Sheet> sheets (static_cast<size_t> (detector.columns * detector.across));
  const auto &view = detector.view;
  const double voxels = 1 / volume.size, step = voxels * view.row.z / detector.down;
  for (size_t i = 0; i < sheets.size (); i++) {
    const auto pixel =
        view.corner + (static_cast<double> (i) + 0.5) / detector.across * view.column + 0.5 / detector.down * view.row;
    const auto way = voxels * (view.parallel ? view.source : pixel - view.source);
    const auto place = voxels * (pixel - volume.first);
    const bool lines = std::abs (way.y) >= std::abs (way.x);
    const double ahead = lines ? place.y : place.x, inverse = 1 / (lines ? way.y : way.x);
    const double across = inverse * (lines ? way.x : way.y), up = inverse * way.z,
                 spread = view.parallel ? 0 : inverse * step;
    sheets[i] = {.along = lines ? Along::y : Along::x,
                 .in = {(lines ? place.x : place.y) - ahead * across, across},
                 .first = {place.z - ahead * up, up},
                 .apart = {step - ahead * spread, spread},
                 .flat = 1 + across * across};
  }
  return sheets;
}

Interval rays_near (const Volume &volume, const Detector &detector, Interval slices)
{
  const auto shadow = shadow_of (detector, volume, slices);
  return around (shadow.top * detector.down - 0.5, shadow.bottom * detector.down - 0.5);
}

Interval sheets_near (const Volume &volume, const Detector &detector, const Brick &brick)
{
  auto box = volume;
  box.first =
      volume.first + volume.size * Vector{static_cast<double> (brick.x.begin), static_cast<double> (brick.y.begin),
                                          static_cast<double> (brick.bottom)};
  box.columns = brick.x.size ();
  box.lines = brick.y.size ();
  const auto shadow = shadow_of (detector, box, {0, 1});
  return around (shadow.left * detector.across - 0.5, shadow.right * detector.across - 0.5)
      .meet ({0, detector.columns * detector.across});
}

} // namespace sino::forward_project
