// SPDX-License-Identifier: LGPL-3.0-or-later
// Rays as columns of numbers, for vectors, in fine bins.
#pragma once
#include "back-project/back-project.hpp"
#include <vector>

namespace sino::back_project {

struct RayTable {
  size_t count;
  int fine; // bins per column of the detector
  // Padded to whole vectors.
  std::vector<double> cos, sin, origin;
  std::vector<double> reach; // from a cell's middle to its outermost pixel's centre
  std::vector<float> weight;

  // Not weighted: the bins were multiplied by the weights, which are all 1 here.
  RayTable (std::span<const Ray> rays, int fine, bool weighted);
};

} // namespace sino::back_project
