// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"

namespace sino::interleave {

// Interleaves rows on the replica's device.
std::unique_ptr<Worker> opencl_worker (const Replica &replica, const families::Setting &setting);

// Bytes allocated on the device.
void opencl_memory (const Sizing &sizing, Bill &bill);

} // namespace sino::interleave
