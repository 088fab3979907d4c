// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"

namespace sino::half_pack {

// Rounds on the replica's device.
std::unique_ptr<Worker> opencl_worker (const Replica &replica, const families::Setting &setting);

} // namespace sino::half_pack
