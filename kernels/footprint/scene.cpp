// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/cancellation.hpp"
#include "kernels/footprint/footprint.hpp"
#include <algorithm>
#include <cmath>

namespace sino::footprint {

namespace {

// A line of voxels along z may lean by this part of a column, and change its depth by this part of it.
constexpr double most_lean = 0.01, most_deepening = 1e-4;

// The next multiple of 16 that has no prime factor above 7: vectors fill it, and Fft transforms it fast.
int64_t line_of (int64_t values)
{
  for (auto parts = divide_up (values, int64_t{16});; parts++) {
    auto rest = parts;
    for (const int factor : {2, 3, 5, 7})
      while (rest % factor == 0)
        rest /= factor;
    if (rest == 1)
      return 16 * parts;
  }
}

// Height of a voxel's shadow, relative to the distance of the shadows of voxels above one another.
double widening_of (const View &view)
{
  return view.parallel ? length (view.source) / std::hypot (view.source.x, view.source.y) : 1;
}

Sight sight_of (const View &view, const Volume &volume)
{
  const auto matrix = matrix_of (view);
  return {.matrix = matrix, .view = view, .step = matrix[1][2] * volume.size, .widened = widening_of (view)};
}

const char *reason_against (const View &view, const Volume &volume)
{
  const auto matrix = matrix_of (view);
  const double height = volume.size * static_cast<double> (volume.slices);
  for (const auto &middle : corners (volume, {0, volume.slices})) {
    const double depth =
        project (matrix, middle).weight - 0.5 * (std::abs (matrix[2][0]) + std::abs (matrix[2][1])) * volume.size;
    if (depth <= 1e-6)
      return "the source is inside the volume: give a smaller size or voxel-size, or correct the distances";
    if (std::abs (matrix[0][2]) * height > most_lean * depth)
      return "the columns of the detector are not parallel to the axis, which iterations need: put 'rotate' before "
             "this "
             "node if the detector is rolled, or give method=direct";
    if (std::abs (matrix[2][2]) * height > most_deepening * depth)
      return "the detector is not parallel to the axis, which iterations of a cone beam need: give method=direct";
    double first = HUGE_VAL, last = -HUGE_VAL;
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5}) {
        const auto column = project (matrix, middle + volume.size * Vector{x, y, 0}).column;
        first = std::min (first, column);
        last = std::max (last, column);
      }
    if (last - first > most_columns - 2)
      return "voxels are too large for the columns of the detector: give a smaller voxel-size";
    const double step = std::abs (matrix[1][2]) * volume.size / depth;
    if (step * widening_of (view) > most_rows)
      return "voxels are too large for the rows of the detector: give a smaller voxel-size";
    if (step * most_rows < 1)
      return "voxels are too small for the rows of the detector: give a larger voxel-size";
  }
  return nullptr;
}

// The columns of line y whose middles are within the radius.
Interval columns_inside (const Volume &volume, double radius, int64_t y)
{
  const double across = volume.first.y + volume.size * static_cast<double> (y);
  if (std::abs (across) > radius)
    return {};
  const double half = std::sqrt (radius * radius - across * across);
  const auto all = static_cast<double> (volume.columns);
  const double first = std::ceil ((-half - volume.first.x) / volume.size),
               last = std::floor ((half - volume.first.x) / volume.size);
  return {static_cast<int64_t> (std::clamp (first, 0.0, all)), static_cast<int64_t> (std::clamp (last + 1, 0.0, all))};
}

} // namespace

const char *against_footprints (std::span<const View> views, const Volume &volume)
{
  for (const auto &view : views) {
    step_unless_cancelled ();
    if (const auto *reason = reason_against (view, volume))
      return reason;
  }
  return nullptr;
}

Scene scene_of (std::span<const View> views, int64_t columns, int64_t rows, const Volume &volume, double radius)
{
  Scene scene{.sights = {},
              .volume = volume,
              .columns = columns,
              .rows = rows,
              .radius = radius,
              .line = line_of (volume.slices),
              .column = line_of (rows),
              .inside = {}};
  for (int64_t y = 0; y < volume.lines; y++)
    scene.inside.push_back (columns_inside (volume, radius, y));
  scene.sights.reserve (views.size ());
  for (const auto &view : views) {
    step_unless_cancelled ();
    scene.sights.push_back (sight_of (view, volume));
  }
  return scene;
}

} // namespace sino::footprint
