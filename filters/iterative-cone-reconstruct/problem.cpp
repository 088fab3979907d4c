// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-cone-reconstruct/problem.hpp"
#include "base/divide-up.hpp"
#include "filters/cone/volume.hpp"
#include <algorithm>
#include <cmath>

namespace sino::iterative_cone_reconstruct {

namespace {

constexpr int64_t coarse_size = 64; // columns

} // namespace

void order_views (Problem &problem, int64_t projections)
{
  const auto subsets = problem.solving.subsets;
  problem.order.clear ();
  problem.subset_ends.clear ();
  int bits = 0;
  while (1 << bits < subsets)
    bits++;
  for (int i = 0; i < 1 << bits; i++) { // in the order of reversed bits
    int subset = 0;
    for (int b = 0; b < bits; b++)
      subset |= (i >> b & 1) << (bits - 1 - b);
    if (subset >= subsets)
      continue;
    for (int64_t p = subset; p < projections; p += subsets)
      problem.order.push_back (p);
    problem.subset_ends.push_back (std::ssize (problem.order));
  }
}

std::vector<View> in_voxels (std::span<const View> views, double voxel)
{
  std::vector<View> scaled (views.begin (), views.end ());
  for (auto &view : scaled) {
    view.corner = 1 / voxel * view.corner;
    view.column = 1 / voxel * view.column;
    view.row = 1 / voxel * view.row;
    if (!view.parallel)
      view.source = 1 / voxel * view.source;
  }
  return scaled;
}

footprint::Scene coarse_of (std::span<const View> views, const footprint::Scene &scene)
{
  const auto &volume = scene.volume;
  const auto factor = divide_up (std::max (volume.columns, volume.lines), coarse_size);
  const auto few = [factor] (int64_t n) { return divide_up (n, factor); };
  const auto size = static_cast<double> (factor);
  std::vector<View> some;
  for (size_t i = 0; i < views.size (); i += static_cast<size_t> (factor))
    some.push_back (views[i]);
  some = in_voxels (some, size);
  for (auto &view : some) { // larger bins
    view.column = size * view.column;
    view.row = size * view.row;
  }
  const auto whole = [] (int64_t n) { return cone::Part{n, 0, n}; };
  const auto box = cone::volume_of (1, whole (few (volume.columns)), whole (few (volume.lines)),
                                    whole (std::min (few (volume.slices), coarse_size)));
  return footprint::scene_of (some, few (scene.columns), few (scene.rows), box, scene.radius / size);
}

} // namespace sino::iterative_cone_reconstruct
