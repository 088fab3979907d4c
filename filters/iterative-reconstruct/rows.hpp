// SPDX-License-Identifier: LGPL-3.0-or-later
// What the rows of sinograms tell before iterations, and rows continued beyond the detector.
#pragma once
#include "device/cpu.hpp"
#include "filters/iterative-reconstruct/iteration.hpp"
#include "kernels/iterate/noise.hpp"

namespace sino::iterative_reconstruct {

// The noise, given or found, and the squares of all values.
Lanes look (const iterate::Sinograms &sinograms, const Problem &problem, const Cpu &cpu);

// Rows of `size` bins, each lane beside the next: `margin` bins before a row, and as many as are left behind it, go
// from the row's end to 0 as sin^2. An object that leaves the detector needs what its rest adds to rays.
void continue_rows (const iterate::Sinograms &sinograms, int64_t margin, int64_t size, const Cpu &cpu, float *to);

} // namespace sino::iterative_reconstruct
