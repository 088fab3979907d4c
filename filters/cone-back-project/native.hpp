// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/cone-back-project/native/packed.hpp"

namespace sino::cone_back_project {

// What stays the same for a whole run; the job lives in the task.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, Manner manner);
// What the views of a group take in each slab, and what it takes then for work items of that size.
std::vector<size_t> packed_bytes (const Job &job, Manner manner);
void native_memory (std::span<const size_t> packed, Manner manner, const Sizing &sizing, Bill &bill);

// Voxel by voxel, for every geometry.
std::unique_ptr<Worker> plain_worker (const Replica &replica, const Job &job);

} // namespace sino::cone_back_project
