// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"

namespace sino::fourier_reconstruct {

// A worker on the CPU. The rays of the job live in the task.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job);
// What it takes, and each thread of it.
struct NativeMemory {
  Bill of_worker, of_thread;
};
NativeMemory native_memory (const Job &job);

} // namespace sino::fourier_reconstruct
