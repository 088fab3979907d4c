// SPDX-License-Identifier: LGPL-3.0-or-later
// The stack's loop in half arithmetic, on CPUs that have it: 32 lanes fill a vector of 512 bits.
#pragma once
#include "kernels/back-project/native/batch.hpp"

namespace sino::back_project {

constexpr int half_lanes = 32;

// Whether this build and this CPU can (x86: AVX512-FP16).
bool has_half_arithmetic ();

// Does what add_cell () does for Sample::differences, linear, 32 lanes.
void add_cell_in_half (const Batch &batch, const CellPart &part, float *sums, int stride);

} // namespace sino::back_project
