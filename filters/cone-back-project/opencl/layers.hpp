// SPDX-License-Identifier: LGPL-3.0-or-later
// What the transpose of forward-project adds on a device, view by view: a layer for each axis that rays of the view
// have.
#pragma once
#include "filters/cone-back-project/opencl/problem.hpp"
#include "filters/forward-project/opencl/problem.hpp"

namespace sino::cone_back_project {

// KernelLayer has the layout of Layer in kernels/cone-back-project/gather.cl.
struct KernelLayer {
  cl_double column[4], row[4], depth[4], source[3];
  cl_float across[3], down[3];
  cl_int axis, cone, view, columns, lines, first_line;
  cl_long first;
};

// The layers of a scan: kernels see them in this order. `view`, `lines`, `first_line` and `first` are left open.
struct Layers {
  std::vector<KernelLayer> all;
  std::vector<int64_t> views; // of each layer
};
Layers layers_of (const Job &job, std::span<const forward_project::Detector> detectors);

// Lines of rays around a voxel that may weigh something, if all lines of all views are parallel to z and the same for
// all voxels of a column; 0 if they are not.
int64_t near_lines (const Job &job, std::span<const forward_project::Detector> detectors);

families::Problem adjoint_problem_of (const Job &job, std::span<const forward_project::Detector> detectors);

} // namespace sino::cone_back_project
