// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection of projections from any geometry, voxel by voxel: the definition that other kernels are held to, and
// what runs where tilts leave nothing to share between voxels.
#pragma once
#include "kernels/cone-back-project/cone-back-project.hpp"

namespace sino::cone_back_project {

// line[i] += weight / w^2 times what is between the four values around where voxel (i, y, z) is seen, w being
// the voxel's depth. Beyond the detector are zeros.
void add_line (const Volume &volume, int64_t y, int64_t z, const Projection &projection, const Values &values,
               float *line);

} // namespace sino::cone_back_project
