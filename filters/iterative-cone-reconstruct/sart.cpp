// SPDX-License-Identifier: LGPL-3.0-or-later
// SIRT (P. Gilbert, J. Theor. Biol. 36, 105, 1972), and the same with subsets of the projections in turn (A. H.
// Andersen, A. C. Kak, Ultrason. Imaging 6, 81, 1984; G. Wang, M. Jiang, J. X-ray Sci. Technol. 12, 169, 2004):
//
//   x = x + A' ((b - A x) / A 1) / A' 1,  with the rows of A that belong to a subset
#include "filters/iterative-cone-reconstruct/space.hpp"
#include <algorithm>
#include <cmath>

namespace sino::iterative_cone_reconstruct {

namespace {

// Shorter rays and voxels that hardly any ray meets are left as they are.
constexpr float least_share = 1e-3F;

void invert (float *values, int64_t n)
{
  const float largest = *std::max_element (values, values + n);
  for (int64_t i = 0; i < n; i++)
    values[i] = values[i] > least_share * largest ? 1 / values[i] : 0;
}

// Sets them to 1 / A 1 and to 1 / A' 1 for all projections.
void find_shares (Space &space, float *of_rays, float *of_voxels)
{
  const auto &scene = space.scene;
  const auto bins = space.problem.views () * scene.bins ();
  float *const ones = space.volume (1), *const rest = space.projections (1);
  for (int64_t y = 0; y < scene.volume.lines; y++) {
    const auto inside = scene.inside[static_cast<size_t> (y)];
    for (auto x = inside.begin; x < inside.end; x++)
      std::fill_n (ones + (y * scene.volume.columns + x) * scene.line, scene.volume.slices, 1.0F);
  }
  space.pair.forward (ones, space.all_views (), of_rays);
  space.clear_padding (of_rays);
  space.each_view ([rest] (int64_t begin, int64_t end) { std::fill (rest + begin, rest + end, 1.0F); });
  space.clear_padding (rest);
  space.pair.adjoint (rest, space.all_views (), of_voxels);
  invert (of_rays, bins);
  invert (of_voxels, scene.voxels ());
}

} // namespace

Outcome solve_sart (Space &space)
{
  const auto &problem = space.problem;
  const auto &scene = space.scene;
  float *const x = space.volume (0), *const step = space.volume (1), *const of_voxels = space.volume (2);
  float *const rest = space.projections (1), *const of_rays = space.projections (2);
  find_shares (space, of_rays, of_voxels);

  Outcome outcome{};
  do {
    double change = 0, square = 0;
    outcome.residual = 0;
    for (int64_t begin = 0; const auto end : problem.subset_ends) {
      const Interval views{begin, end};
      const auto first = space.of_views (views), last = first + views.size () * scene.bins ();
      outcome.residual += space.residual (x, views, rest + first);
      space.cpu.parallel (last - first, 4096, [&] (int64_t from, int64_t to) {
        for (auto i = first + from; i < first + to; i++)
          rest[i] *= of_rays[i];
      });
      space.clear (step);
      space.pair.adjoint (rest + first, views, step);
      const auto scale = static_cast<float> (problem.views ()) / static_cast<float> (views.size ());
      space.each_line ([&] (int64_t i, int64_t behind) {
        for (; i < behind; i++)
          step[i] *= scale * of_voxels[i];
      });
      square = 0;
      change += space.take_step (x, step, -1, square);
      begin = end;
    }
    outcome.change = share_of (change, square);
  } while (space.goes_on (outcome));
  return outcome;
}

} // namespace sino::iterative_cone_reconstruct
