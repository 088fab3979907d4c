// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of phase retrieval on OpenCL devices.
#pragma once
#include "filters/retrieve-phase/opencl/retrieval.hpp"
#include "glue/task.hpp"

namespace sino::retrieve_phase {

// `judges`: whether it warns of projections that are no transmission; a part of their rows does not show this.
std::unique_ptr<Worker> retriever (const Replica &replica, std::unique_ptr<OpenclRetrieval> retrieval, bool judges);

} // namespace sino::retrieve_phase
