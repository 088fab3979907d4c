// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker on the CPU: stacks of slices in lanes, one after the other; of rows, or of strengths.
#pragma once
#include "filters/iterative-reconstruct/problem.hpp"
#include "glue/task.hpp"

namespace sino::iterative_reconstruct {

// The problem is stored in the task.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Problem &problem);
// Memory of a worker whose sinograms have so many lanes side by side.
void native_memory (const Problem &problem, int threads, int lanes, Bill &bill);

} // namespace sino::iterative_reconstruct
