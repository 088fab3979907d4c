// SPDX-License-Identifier: LGPL-3.0-or-later
// What the node has to solve, settled by negotiation. Lengths are in voxels, so attenuation is per voxel.
#pragma once
#include "filters/cone/weights.hpp"
#include "kernels/footprint/footprint.hpp"
#include <optional>

namespace sino::iterative_cone_reconstruct {

enum class Method { tv, cgls, os_sart, sirt, iterated_fdk };

struct Solving {
  Method method;
  double strength;             // of TV, in units of the noise
  std::optional<double> noise; // standard deviation of a value of the projections; none: found in them
  int iterations;
  double tolerance; // ends when an iteration changes the volume by less, as a share of its norm
  bool non_negative;
  int subsets; // os-sart: parts of the projections, which are used in turn
};

struct Problem {
  footprint::Scene scene;           // views in the order in which methods use them
  std::vector<int64_t> order;       // numbers of their projections
  std::vector<int64_t> subset_ends; // where a subset of the views ends and the next one begins
  footprint::Scene coarse;          // about the same scan with fewer and larger voxels, to find how large steps can be
  cone::Weights weights;            // of rays, for filtered back-projection
  std::vector<double> shares;       // weights of projections, for the same; none: FDK has no weights for the scan
  Solving solving;
  double voxel;    // edge of a voxel in the scan's unit
  Interval slices; // wanted ones

  int64_t views () const { return std::ssize (scene.sights); }
};

// Sets `order` and `subset_ends`: a subset has every subsets-th projection, and subsets that follow one another are far
// apart.
void order_views (Problem &problem, int64_t projections);
// Views in the unit of a voxel.
std::vector<View> in_voxels (std::span<const View> views, double voxel);
// About the same scan with at most 64 columns and slices, and as many columns for each projection, in its own voxels.
footprint::Scene coarse_of (std::span<const View> views, const footprint::Scene &scene);

} // namespace sino::iterative_cone_reconstruct
