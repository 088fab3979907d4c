// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/iterative-cone-reconstruct/problem.hpp"
#include "glue/task.hpp"

namespace sino::iterative_cone_reconstruct {

// Returns a worker on the CPU. The problem is stored in the task. `method`: its name.
std::unique_ptr<Worker> make_worker (const Replica &replica, const Problem &problem, const char *method);
void worker_memory (const Problem &problem, int threads, Bill &bill);

} // namespace sino::iterative_cone_reconstruct
