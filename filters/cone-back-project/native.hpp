// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/cone-back-project/native/packed.hpp"

namespace sino::cone_back_project {

// Returns a worker on the CPU. The job, which is stored in the task, and the manner are the same for a whole run.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, Manner manner);
// packed_bytes (): for each slab, bytes of the packed views of a group. native_memory (): memory of a worker with these
// bytes, for work items of the given size.
std::vector<size_t> packed_bytes (const Job &job, Manner manner);
void native_memory (std::span<const size_t> packed, Manner manner, const Sizing &sizing, Bill &bill);

// Returns a worker that computes voxel by voxel, for every geometry.
std::unique_ptr<Worker> plain_worker (const Replica &replica, const Job &job);

} // namespace sino::cone_back_project
