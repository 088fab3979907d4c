// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/cone-back-project/cone-back-project.hpp"
#include "kernels/forward-project/rays.hpp"

namespace sino::cone_back_project {

// The transpose of forward-project, a detector for each projection. All live in the task.
std::unique_ptr<Worker> adjoint_worker (const Replica &replica, const Job &job,
                                        const std::vector<forward_project::Detector> &detectors);
void adjoint_memory (const std::vector<forward_project::Detector> &detectors, int threads, Bill &bill);

// The voxels that a job has, in slices.
forward_project::Grid grid_of (const Job &job);

} // namespace sino::cone_back_project
