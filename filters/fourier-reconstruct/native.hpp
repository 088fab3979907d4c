// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"

namespace sino::fourier {

// A worker on the CPU. The rays of the job live in the task.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job);
// Bytes that it allocates.
struct NativeMemory {
  size_t shared = 0, of_thread = 0;
};
NativeMemory native_memory (const Job &job);

} // namespace sino::fourier
