// SPDX-License-Identifier: LGPL-3.0-or-later
// The loop for stacks in half arithmetic, on CPUs that have it: 32 lanes fill a vector of 512 bits.
#pragma once
#include "kernels/back-project/native/batch.hpp"

namespace sino::back_project {

constexpr int half_lanes = 32;

// Whether this build and this CPU support it (x86: AVX512-FP16).
bool has_half_arithmetic ();

// Equivalent to add_cell () for Sample::differences, linear interpolation and 32 lanes.
void add_cell_in_half (const Batch &batch, const CellPart &part, float *sums, int stride);

} // namespace sino::back_project
