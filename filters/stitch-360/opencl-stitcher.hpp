// SPDX-License-Identifier: LGPL-3.0-or-later
// Workers that join rows on an OpenCL device.
#pragma once
#include "filters/stitch-360/job.hpp"
#include "glue/task.hpp"

namespace sino::stitch_360 {

void opencl_memory (const Sizing &sizing, const Job &job, Bill &bill);
std::unique_ptr<Worker> opencl_stitcher (const Replica &replica, const families::Use &use,
                                         std::shared_ptr<const Job> job);

} // namespace sino::stitch_360
