// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "fourier-reconstruct/opencl/plan.hpp"
#include "glue/task.hpp"

namespace sino::fourier {

// `most` slices are worked on together where there are as many, and memory for them.
std::unique_ptr<Worker> opencl_worker (const Replica &replica, const std::shared_ptr<const OpenclPlan> &plan, int most);

// Bytes of the device that such a worker allocates.
size_t opencl_memory (const Sizing &sizing, const OpenclPlan &plan, int most);

} // namespace sino::fourier
