// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"

namespace sino::fourier_reconstruct {

// A worker on the CPU, with so many stacks under way. The rays of the job live in the task.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, int at_once);
// What it takes, each stack that it has under way, and each thread.
struct NativeMemory {
  Bill of_worker, of_stack, of_thread;
  int sectors;
};
NativeMemory native_memory (const Job &job);

} // namespace sino::fourier_reconstruct
