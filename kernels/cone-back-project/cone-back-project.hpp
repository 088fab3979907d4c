// SPDX-License-Identifier: LGPL-3.0-or-later
// What is back-projected onto what, for every kernel.
#pragma once
#include "kernels/volume.hpp"
#include "stream/rows.hpp"
#include <cstdint>
#include <vector>

namespace sino::cone_back_project {

using kernels::Volume;

// Where a projection sees the volume.
struct Projection {
  Matrix matrix;           // of detector coordinates, where column u spans [u, u + 1]
  double weight;           // of the projection; a voxel in depth w adds weight / w^2 times its value
  Interval slices = every; // that it counts for

  static constexpr Interval every{0, int64_t{1} << 40};
};

// Rows of one projection, `columns` values each; those of the detector that are not in `rows` are 0.
struct Values {
  const float *data;
  Interval rows;
  int64_t columns;
};

struct Job {
  std::vector<Projection> projections;
  Volume volume;
  int64_t columns, rows; // of the detector
  double radius;         // voxels that are farther from the axis become 0; infinite without a mask
};

} // namespace sino::cone_back_project
