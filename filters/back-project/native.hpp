// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/back-project/back-project.hpp"

namespace sino::back_project {

// Back-projection on CPUs. The job stays the same for a whole run; its rays are stored in the task.
// `tolerance`: slices with a greater relative root mean square error are computed again in single precision; 0: no
// check.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, double tolerance);
// Memory of the worker. `checked`: with a tolerance.
void native_memory (const Job &job, bool checked, int threads, Bill &bill);

} // namespace sino::back_project
