// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "fourier-reconstruct/native/stack.hpp"
#include "glue/task.hpp"

namespace sino::fourier {

// On the CPU. The rays of the job live in the task.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job);
// Bytes that it allocates for the given number of threads.
size_t native_memory (const Job &job, int threads);

} // namespace sino::fourier
