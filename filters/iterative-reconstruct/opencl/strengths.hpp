// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker on an OpenCL device that makes a slice for each strength, all of one row.
#pragma once
#include "filters/iterative-reconstruct/opencl/reconstruction.hpp"

namespace sino::iterative_reconstruct {

std::unique_ptr<Worker> opencl_strengths_worker (const Replica &replica, const Reconstructing &how);

} // namespace sino::iterative_reconstruct
