// SPDX-License-Identifier: LGPL-3.0-or-later
// Definition of the problem, for every kernel: projections and the volume.
#pragma once
#include "kernels/volume.hpp"
#include "stream/rows.hpp"
#include <cstdint>
#include <vector>

namespace sino::cone_back_project {

using kernels::Volume;

// Position of the volume in a projection, and its weight.
struct Projection {
  Matrix matrix;           // transforms to detector coordinates, in which column u spans [u, u + 1]
  double weight;           // a voxel at depth w adds weight / w^2 times its value
  Interval slices = every; // slices that use the projection

  static constexpr Interval every{0, int64_t{1} << 40};
};

// Rows of one projection, with `columns` values each; rows of the detector that are not in `rows` are 0.
struct Values {
  const float *data;
  Interval rows;
  int64_t columns;
};

struct Job {
  std::vector<Projection> projections;
  Volume volume;
  int64_t columns, rows; // size of the detector
  double radius;         // voxels farther from the axis become 0; infinite without a mask
};

} // namespace sino::cone_back_project
