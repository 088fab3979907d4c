// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"

namespace sino::fourier_reconstruct {

// A worker on the CPU with `at_once` stacks in work, which begins the stacks of `rows_ahead` rows while their sinograms
// are filled. The rays of the job are stored in the task.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, int at_once, int64_t rows_ahead);
// Memory of the worker, of each stack that is begun and of each in work, and of each thread.
struct NativeMemory {
  Bill of_worker, of_begun, of_stack, of_thread;
  int sectors;
};
NativeMemory native_memory (const Job &job);

} // namespace sino::fourier_reconstruct
