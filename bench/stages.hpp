// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "bench/bench.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include "stream/block.hpp"

namespace sino::bench {

// Returns the time per slice of each stage of native Fourier reconstruction, as if threads were never idle. `in`: a
// block of sinograms.
fourier_reconstruct::StageTimes measure_stages (const BenchOptions &options, const Block &in);

} // namespace sino::bench
