// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"

namespace sino::interleave {

// Lays rows side by side on the replica's device.
std::unique_ptr<Worker> opencl_worker (const Replica &replica, const families::Setting &setting);

// Bytes of the device that it allocates; `row_bytes` of an output's row of all angles.
void opencl_memory (const Sizing &sizing, Bill &bill);

} // namespace sino::interleave
