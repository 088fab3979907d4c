// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/forward-project/opencl/problem.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::forward_project {

using namespace families;

namespace {

constexpr int64_t most_planes = 2048; // images in an array that every device has

// Whether rays that meet voxels, or the zeros around them, may go along z.
bool is_steep (const View &view, const Volume &volume)
{
  if (view.parallel)
    return std::abs (view.source.z) >= std::max (std::abs (view.source.x), std::abs (view.source.y));
  // Distances of the source from the box, and the largest one along z.
  const auto near = [&] (double source, double first, int64_t n) {
    const double begin = first - volume.size, end = first + volume.size * static_cast<double> (n);
    return std::max ({0.0, begin - source, source - end});
  };
  const double end = volume.first.z + volume.size * static_cast<double> (volume.slices);
  const double high =
      std::max (std::abs (volume.first.z - volume.size - view.source.z), std::abs (end - view.source.z));
  return high >= std::max (near (view.source.x, volume.first.x, volume.columns),
                           near (view.source.y, volume.first.y, volume.lines));
}

cl_double4 point (const Vector &v)
{
  return {{v.x, v.y, v.z, 0}};
}

} // namespace

size_t Job::rays (size_t view, int64_t rows) const
{
  const auto &detector = detectors[view];
  return static_cast<size_t> (rows * detector.down * detector.columns * detector.across);
}

Problem problem_of (const Job &job)
{
  const bool steep =
      std::ranges::any_of (job.detectors, [&] (const Detector &d) { return is_steep (d.view, job.volume); });
  return {1, 1, {{"steep", steep}, {"columns", job.volume.columns}, {"lines", job.volume.lines}}};
}

Shape shape_of (const Setting &s, const Problem &problem)
{
  const size_t wide = static_cast<size_t> (s["WIDE"]), high = static_cast<size_t> (s["HIGH"]);
  const auto longest = std::max (problem["columns"], problem["lines"]);
  Shape shape{.group = {wide, high},
              .area = {s["WIDE"], s["HIGH"]},
              .constants = static_cast<size_t> (s["VIEWS"]) * sizeof (KernelView),
              .turns = static_cast<double> (longest)};
  if (s.kernel->name == std::string_view ("image"))
    shape.image = ImageShape{.width = longest, .height = longest, .components = 1, .half = false};
  return shape;
}

std::string too_many_planes (const Setting &, const Problem &problem, const OpenclFacts &)
{
  const auto planes = std::max (problem["columns"], problem["lines"]);
  return planes > most_planes
             ? text ("takes slices of up to %" G_GINT64_FORMAT " voxels along x and y, here are %" G_GINT64_FORMAT,
                     most_planes, planes)
             : "";
}

std::string options (const Setting &s, const Problem &problem)
{
  return s.kernel->name == std::string_view ("image") && problem["steep"] ? " -DSTEEP" : "";
}

KernelView kernel_view (const Detector &detector, int64_t first)
{
  const auto &[view, matrix, columns, across, down] = detector;
  return {.source = point (view.source),
          .corner = point (view.corner),
          .column = point (view.column),
          .row = point (view.row),
          .first = first,
          .parallel = view.parallel,
          .across = across,
          .down = down,
          .unused = {}};
}

Frame frame_of (const Volume &volume, Interval planes, int64_t columns, Interval rows, int64_t count)
{
  const auto whole = [] (int64_t n) { return static_cast<cl_int> (n); };
  return {.first_x = volume.first.x,
          .first_y = volume.first.y,
          .first_z = volume.first.z,
          .size = volume.size,
          .scale = 1 / volume.size,
          .width = whole (volume.columns),
          .height = whole (volume.lines),
          .begin = whole (planes.begin),
          .end = whole (planes.end),
          .columns = whole (columns),
          .rows = whole (rows.size ()),
          .first_row = whole (rows.begin),
          .count = whole (count)};
}

std::vector<KernelView> kernel_views (const Job &job, Interval group, int64_t rows)
{
  std::vector<KernelView> views;
  size_t first = 0;
  for (auto i = group.begin; i < group.end; i++) {
    views.push_back (kernel_view (job.detectors[static_cast<size_t> (i)], static_cast<int64_t> (first)));
    first += job.rays (static_cast<size_t> (i), rows);
  }
  return views;
}

} // namespace sino::forward_project
