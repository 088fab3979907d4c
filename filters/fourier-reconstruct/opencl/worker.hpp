// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "fourier-reconstruct/opencl/plan.hpp"
#include "glue/task.hpp"

namespace sino::fourier {

// Slices that are worked on together where there are as many: more would not fit in the registers of a GPU.
constexpr int opencl_lanes = 16;

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const std::shared_ptr<const OpenclPlan> &plan);

// Bytes of the device that such a worker allocates.
size_t opencl_memory (const Sizing &sizing, const OpenclPlan &plan);

} // namespace sino::fourier
