// SPDX-License-Identifier: LGPL-3.0-or-later
// What switches of a run bring: its time without each of them and without each pair, beside that with all of them, as
// figure 6 of Blas et al. (2014) has it.
#pragma once
#include "bench/bench.hpp"
#include "bench/timing.hpp"
#include <functional>

namespace sino::bench {

void report_sweep (const BenchOptions &options, const std::function<Timing (const BenchOptions &)> &measure,
                   Report &report);

} // namespace sino::bench
