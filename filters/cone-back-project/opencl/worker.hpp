// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of cone-back-project on an OpenCL device.
#pragma once
#include "filters/cone-back-project/opencl/launcher.hpp"
#include "glue/task.hpp"

namespace sino::cone_back_project {

void opencl_memory (const Sizing &sizing, const Job &job, const families::Setting &setting, Bill &bill);
std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Job &job, const families::Setting &setting);

} // namespace sino::cone_back_project
