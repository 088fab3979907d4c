// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "back-project/opencl/launcher.hpp"
#include "back-project/opencl/variant.hpp"
#include "slices/worker.hpp"

namespace sino::back_project {

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Job &job, const Setting &setting);
} // namespace sino::back_project
