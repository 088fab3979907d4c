// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/forward-project/rays.hpp"
#include "base/room.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace sino::forward_project {

namespace {

// Returns the integers between two numbers that are also in an interval.
Interval integers (double least, double most, Interval in)
{
  const auto begin = static_cast<double> (in.begin), end = static_cast<double> (in.end);
  const Interval found{static_cast<int64_t> (std::clamp (std::ceil (least), begin, end)),
                       static_cast<int64_t> (std::clamp (std::floor (most) + 1, begin, end))};
  return found.empty () ? Interval{} : found;
}

// One coordinate of a ray.
struct Part {
  double place, way;
};

Course course (const Part &part, const Part &ahead)
{
  const double step = part.way / ahead.way;
  return {part.place - ahead.place * step, step};
}

// Returns the inverse of a step, and a large number for a step of zero.
double inverse (double step)
{
  return std::abs (step) > 1e-12 ? 1 / step : 1e12;
}

Ray ray_of (const Volume &volume, const View &view, double column, double row)
{
  const auto pixel = view.corner + column * view.column + row * view.row;
  const auto way = view.parallel ? view.source : pixel - view.source;
  const auto place = 1 / volume.size * (pixel - volume.first);
  const Part x{place.x, way.x}, y{place.y, way.y}, z{place.z, way.z};
  const double wx = std::abs (way.x), wy = std::abs (way.y), wz = std::abs (way.z);
  const double most = std::max ({wx, wy, wz});
  Ray ray;
  ray.length = volume.size * length (way) / most;
  if (wz == most) {
    ray.along = Along::z;
    ray.in = course (x, z);
    ray.up = course (y, z);
    return ray;
  }
  const bool lines = wy == most;
  ray.along = lines ? Along::y : Along::x;
  ray.in = lines ? course (x, y) : course (y, x);
  ray.up = lines ? course (z, y) : course (z, x);
  const auto planes = lines ? volume.lines : volume.columns, extent = lines ? volume.columns : volume.lines;
  ray.inverse = inverse (ray.up.step);
  const double one = inverse (ray.in.step) * (-1 - ray.in.start),
               other = inverse (ray.in.step) * (static_cast<double> (extent) - ray.in.start);
  ray.first = std::max (0.0, std::min (one, other));
  ray.last = std::min (static_cast<double> (planes - 1), std::max (one, other));
  return ray;
}

} // namespace

void Rays::resize (int64_t n)
{
  resize_exactly (along, static_cast<size_t> (n));
  mixed.assign (static_cast<size_t> (n / most_lanes), false);
  for (auto *list : {&in, &in_step, &up, &up_step, &inverse, &length, &first, &last})
    resize_exactly (*list, static_cast<size_t> (n));
}

void Rays::put (size_t i, const Ray &ray)
{
  along[i] = ray.along;
  in[i] = ray.in.start;
  in_step[i] = ray.in.step;
  up[i] = ray.up.start;
  up_step[i] = ray.up.step;
  inverse[i] = ray.inverse;
  length[i] = ray.length;
  first[i] = ray.first;
  last[i] = ray.last;
}

Detector detector_of (const View &view, int64_t columns, const Volume &volume)
{
  const auto matrix = matrix_of (view);
  const double near = matrix[2][3]; // depth of the middle of the volume
  const auto rays = [&] (const Vector &pixel) {
    return static_cast<int> (
        std::clamp (std::ceil (length (pixel) * near / volume.size - 0.25), 1.0, static_cast<double> (most_rays)));
  };
  return {.view = view, .matrix = matrix, .columns = columns, .across = rays (view.column), .down = rays (view.row)};
}

static int64_t stride_of (const Detector &detector)
{
  return round_up (detector.columns * detector.across, Rays::most_lanes);
}

size_t most_bytes (const std::vector<Detector> &detectors)
{
  int64_t most = 0;
  for (const auto &each : detectors)
    most = std::max (most, stride_of (each) * each.down);
  return static_cast<size_t> (most) * (2 * sizeof (Along) + 8 * sizeof (double));
}

void find_rays (const Volume &volume, const Detector &detector, int64_t row, Rays &rays)
{
  rays.line = detector.columns * detector.across;
  rays.stride = stride_of (detector);
  rays.resize (rays.stride * detector.down);
  constexpr auto lanes = static_cast<size_t> (Rays::most_lanes);
  size_t at = 0;
  for (int j = 0; j < detector.down; j++) {
    Ray ray;
    for (int64_t i = 0; i < rays.stride; i++, at++) {
      if (i < rays.line)
        ray = ray_of (volume, detector.view, (static_cast<double> (i) + 0.5) / detector.across,
                      static_cast<double> (row) + (j + 0.5) / detector.down);
      if (at % lanes > 0 && ray.along != rays.along[at - 1])
        rays.mixed[at / lanes] = true;
      rays.put (at, ray);
    }
  }
}

// The edge of a row sees a plane: m1 X - row m2 X = 0, where m1 and m2 are lines of the matrix. In the rectangle of a
// slice, z of this plane is least and greatest at corners.
Interval slices_seen (const Volume &volume, const Detector &detector, Interval rows, Interval slices)
{
  const auto &matrix = detector.matrix;
  double least = -HUGE_VAL, most = HUGE_VAL;
  const auto bound = [&] (int64_t row, double side) {
    std::array<double, 4> plane;
    for (size_t i = 0; i < 4; i++)
      plane[i] = side * (matrix[1][i] - static_cast<double> (row) * matrix[2][i]);
    if (plane[2] == 0)
      return;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const int64_t x : {int64_t{-1}, volume.columns})
      for (const int64_t y : {int64_t{-1}, volume.lines}) {
        const double z = -(plane[0] * (volume.first.x + volume.size * static_cast<double> (x)) +
                           plane[1] * (volume.first.y + volume.size * static_cast<double> (y)) + plane[3]) /
                         plane[2];
        low = std::min (low, z);
        high = std::max (high, z);
      }
    if (plane[2] > 0)
      least = std::max (least, low);
    else
      most = std::min (most, high);
  };
  bound (rows.begin, 1);
  bound (rows.end, -1);
  // One more slice on either side, because rays interpolate between slices.
  return integers ((least - volume.first.z) / volume.size - 1, (most - volume.first.z) / volume.size + 1, slices);
}

} // namespace sino::forward_project
