// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection as its definition says, by plain loops: what faster kernels are measured by.
#pragma once
#include "kernels/back-project/back-project.hpp"

namespace sino::back_project {

// Rows [begin, end) of the full slice, job.size pixels each, of a single lane of floats, whatever the job's precision;
// linear.
void plain (const Job &job, int64_t begin, int64_t end, float *rows);

} // namespace sino::back_project
