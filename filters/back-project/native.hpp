// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/back-project/back-project.hpp"

namespace sino::back_project {

// What stays the same for a whole run; the rays live in the task.
// `tolerance`: slices whose relative root mean square error is above it are computed in single precision; 0: as the job
// says.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, double tolerance);
// What it takes. `checked`: with a tolerance.
void native_memory (const Job &job, bool checked, int threads, Bill &bill);

} // namespace sino::back_project
