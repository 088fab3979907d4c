// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/cpu.hpp"
#include "kernels/cone-back-project/cone-back-project.hpp"
#include "stream/block.hpp"

namespace sino::cone_back_project {

// Sets voxels outside the job's radius to 0.
void mask (const Job &job, const Cpu &cpu, Block &slices);

} // namespace sino::cone_back_project
