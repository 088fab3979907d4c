// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/layers.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <cmath>

namespace sino::cone_back_project {

using forward_project::Detector;

namespace {

using Components = std::array<double, 3>;

Components components (const Vector &v)
{
  return {v.x, v.y, v.z};
}

// The axes to which rays of a view may be closest.
std::vector<int> axes_of (const Detector &detector, int64_t rows)
{
  const auto &view = detector.view;
  std::vector<Components> ways;
  if (view.parallel)
    ways.push_back (components (view.source));
  else
    for (const int64_t column : {int64_t{0}, detector.columns})
      for (const int64_t row : {int64_t{0}, rows})
        ways.push_back (components (view.corner + static_cast<double> (column) * view.column +
                                    static_cast<double> (row) * view.row - view.source));
  // Whether all rays are closer to axis b than to a. Their components are linear in column and row, so sums and
  // differences that are positive at all corners are positive everywhere.
  const auto closer = [&] (size_t a, size_t b) {
    const auto all = [&] (double side) {
      return std::ranges::all_of (ways, [&] (const Components &way) {
        const double far = 1e-9 * std::abs (way[b]);
        return side * (way[b] - way[a]) > far && side * (way[b] + way[a]) > far;
      });
    };
    return all (1) || all (-1);
  };
  std::vector<int> axes;
  for (size_t a = 0; a < 3; a++)
    if (!closer (a, (a + 1) % 3) && !closer (a, (a + 2) % 3))
      axes.push_back (static_cast<int> (a));
  return axes;
}

// Fills the product of a line of a matrix with (x, y, z, 1) in voxels: scale m - less n.
void fill (const Volume &volume, const std::array<double, 4> &m, double scale, const std::array<double, 4> &n,
           double less, cl_double out[4])
{
  const auto at = [&] (size_t i) { return scale * m[i] - less * n[i]; };
  for (size_t i = 0; i < 3; i++)
    out[i] = volume.size * at (i);
  out[3] = at (0) * volume.first.x + at (1) * volume.first.y + at (2) * volume.first.z + at (3);
}

void fill (const Vector &v, double scale, cl_float out[3])
{
  out[0] = static_cast<cl_float> (scale * v.x);
  out[1] = static_cast<cl_float> (scale * v.y);
  out[2] = static_cast<cl_float> (scale * v.z);
}

KernelLayer layer_of (const Volume &volume, const Detector &detector, int axis)
{
  const auto &[view, matrix, columns, across, down] = detector;
  KernelLayer layer{};
  fill (volume, matrix[0], across, matrix[2], 0.5, layer.column);
  fill (volume, matrix[1], down, matrix[2], 0.5, layer.row);
  fill (volume, matrix[2], 1, matrix[2], 0, layer.depth);
  const auto source = view.parallel ? view.source : 1 / volume.size * (view.source - volume.first);
  layer.source[0] = source.x, layer.source[1] = source.y, layer.source[2] = source.z;
  fill (view.column, 1 / (volume.size * across), layer.across);
  fill (view.row, 1 / (volume.size * down), layer.down);
  layer.axis = axis;
  layer.cone = !view.parallel;
  layer.columns = static_cast<cl_int> (columns * across);
  return layer;
}

bool is_upright (const Detector &detector, int64_t rows)
{
  const auto &view = detector.view;
  const auto small = [] (double a, double b) { return std::abs (a) <= 1e-10 * std::abs (b); };
  return small (view.row.x, view.row.z) && small (view.row.y, view.row.z) &&
         small (view.column.z, std::max (std::abs (view.column.x), std::abs (view.column.y))) &&
         std::ranges::count (axes_of (detector, rows), 2) == 0 &&
         // neighbouring columns have nearly the same depth
         (view.parallel || length (view.column) < 0.01 * distances_of (view).detector);
}

} // namespace

Layers layers_of (const Job &job, std::span<const Detector> detectors)
{
  Layers layers;
  for (size_t i = 0; i < detectors.size (); i++)
    for (const int axis : axes_of (detectors[i], job.rows)) {
      layers.all.push_back (layer_of (job.volume, detectors[i], axis));
      layers.views.push_back (static_cast<int64_t> (i));
    }
  return layers;
}

int64_t near_lines (const Job &job, std::span<const Detector> detectors)
{
  constexpr int64_t most = 6;
  const auto corners = kernels::corners (job.volume, {0, job.volume.slices}, 1);
  double least = HUGE_VAL; // distance of lines on a plane, in voxels
  for (const auto &detector : detectors) {
    if (!is_upright (detector, job.rows))
      return 0;
    step_unless_cancelled ();
    for (const auto &corner : corners)
      least = std::min (least, project (detector.matrix, corner).weight * std::abs (detector.view.row.z) /
                                   (job.volume.size * detector.down));
  }
  // Lines of a column beside that of the voxel are a little closer.
  const auto lines = std::max<int64_t> (2, static_cast<int64_t> (std::min (std::ceil (2 / (0.95 * least)), 1e6)));
  return lines > most ? 0 : lines == 5 ? 6 : lines; // few different programs
}

families::Problem adjoint_problem_of (const Job &job, std::span<const Detector> detectors)
{
  const auto lines = near_lines (job, detectors);
  int across = 1, down = 1;
  for (const auto &detector : detectors) {
    across = std::max (across, detector.across);
    down = std::max (down, detector.down);
  }
  return {1,
          job.volume.slices,
          {{"weights", 1},
           {"accuracy", 0},
           {"rays", lines > 0 ? 0 : 1},
           {"columns", job.columns * across},
           {"rows", job.rows * down},
           {"quarter-rows", 0},
           {"turns", 0},
           {"near-lines", lines}}};
}

} // namespace sino::cone_back_project
