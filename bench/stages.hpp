// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "bench/bench.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include "stream/block.hpp"

namespace sino::bench {

// Time per slice of the stages of native Fourier reconstruction, as if threads were never idle. `in`: sinograms of a
// stack.
fourier_reconstruct::StageTimes measure_stages (const BenchOptions &options, const Block &in);

} // namespace sino::bench
