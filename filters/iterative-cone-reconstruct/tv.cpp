// SPDX-License-Identifier: LGPL-3.0-or-later
// Total variation of a volume, by the method of kernels/iterate/stack.hpp, from filtered back-projection on.
#include "filters/iterative-cone-reconstruct/fdk.hpp"
#include "filters/iterative-cone-reconstruct/metric.hpp"
#include "kernels/iterate/steps.hpp"
#include "kernels/iterate/volume-tv.hpp"
#include <cmath>

namespace sino::iterative_cone_reconstruct {

namespace {

constexpr double safety = 1.05; // of the coarse scan's largest eigenvalue
constexpr double usual_columns = 512;

// What A^T A has on its diagonal for the voxel in the middle.
double middle_of (Space &space)
{
  const auto &scene = space.scene;
  const auto &volume = scene.volume;
  float *const delta = space.volume (1), *const shadow = space.projections (1);
  const auto x = volume.columns / 2, y = volume.lines / 2;
  float &voxel = delta[(y * volume.columns + x) * scene.line + volume.slices / 2];
  voxel = 1;
  space.pair.forward (delta, space.all_views (), shadow);
  voxel = 0;
  return space.square_of (shadow);
}

// The standard deviation that noise of 1 has in a voxel of A^T b / views, times 2 sqrt (columns / 512): noise of
// regions as wide as details needs a weight that grows as the root of their width.
double weight_of_noise (const footprint::Scene &scene, double middle_of_view)
{
  return 2 * std::sqrt (middle_of_view * static_cast<double> (scene.volume.columns) / usual_columns);
}

} // namespace

Outcome solve_tv (Space &space, double noise)
{
  const auto &problem = space.problem;
  const auto &solving = problem.solving;
  const auto &scene = space.scene;
  const auto views = static_cast<double> (problem.views ());
  const auto line = space.line_values ();
  const double middle = middle_of (space) / views;
  const double density = safety * density_factor (problem, space.cpu, space.monitor);

  const iterate::VolumeTv tv{
      .columns = scene.volume.columns,
      .lines = scene.volume.lines,
      .slices = scene.volume.slices,
      .line = scene.line,
      .x = space.volume (0),
      .q = space.volume (1),
      .y0 = space.volume (2),
      .y1 = space.volume (3),
      .y2 = space.volume (4),
      .positive = space.volume (5),
      .gradient = space.volume (6),
      .share = static_cast<float> (1 / views),
      .lambda = static_cast<float> (solving.strength * noise * weight_of_noise (scene, middle / views)),
      .sigma = iterate::dual_step,
      .rise = solving.non_negative ? iterate::positive_step : 0};
  float *const rest = space.projections (1);
  if (!problem.shares.empty ()) {
    space.each_view ([&] (int64_t begin, int64_t end) {
      std::copy (space.projections (0) + begin, space.projections (0) + end, rest + begin);
    });
    Fdk (space).add (rest, tv.x);
  }
  space.each_line ([&] (int64_t begin, int64_t end) { std::copy (tv.x + begin, tv.x + end, tv.q + begin); });

  Metric metric (scene, density, 1, space.cpu, space.monitor);
  const auto columns = [&] (int64_t y) { return scene.inside[static_cast<size_t> (y)]; };
  Outcome outcome{};
  do {
    space.each_line ([&] (int64_t begin, int64_t end) {
      iterate::volume_duals (tv, begin / line);
      std::fill (tv.gradient + begin, tv.gradient + end, 0.0F);
    });
    outcome.residual = space.residual (tv.x, space.all_views (), rest);
    space.pair.adjoint (rest, space.all_views (), tv.gradient);
    space.each_line (
        [&] (int64_t begin, int64_t) { iterate::volume_gradient (tv, columns (begin / line), begin / line); });
    metric.apply (tv.gradient);
    std::vector<iterate::Changes> all (static_cast<size_t> (scene.volume.lines));
    space.each_line ([&] (int64_t begin, int64_t) {
      all[static_cast<size_t> (begin / line)] = iterate::volume_update (tv, columns (begin / line), begin / line);
    });
    double change = 0, square = 0;
    for (const auto &of_line : all) {
      change += of_line.change;
      square += of_line.square;
    }
    outcome.change = share_of (change, square);
  } while (space.goes_on (outcome));
  return outcome;
}

} // namespace sino::iterative_cone_reconstruct
