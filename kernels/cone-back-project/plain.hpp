// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection for any geometry, voxel by voxel: the reference for other kernels, and the method for tilted
// geometries, in which voxels have nothing to share.
#pragma once
#include "kernels/cone-back-project/cone-back-project.hpp"

namespace sino::cone_back_project {

// line[i] += weight / w^2 times the value interpolated between four pixels at the projection of voxel (i, y, z) with
// depth w. Values beyond the detector are zeros.
void add_line (const Volume &volume, int64_t y, int64_t z, const Projection &projection, const Values &values,
               float *line);

} // namespace sino::cone_back_project
