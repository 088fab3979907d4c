// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection by its definition, with plain loops: the reference for tests of faster kernels.
#pragma once
#include "kernels/back-project/back-project.hpp"

namespace sino::back_project {

// Computes rows [begin, end) of the full slice, with job.size pixels each. Uses one lane of floats and linear
// interpolation, and ignores the job's precision.
void plain (const Job &job, int64_t begin, int64_t end, float *rows);

} // namespace sino::back_project
