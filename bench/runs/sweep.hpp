// SPDX-License-Identifier: LGPL-3.0-or-later
// Measures the effect of a run's switches: time without each switch and without each pair of switches, compared with
// all switches on, as in figure 6 of Blas et al. (2014).
#pragma once
#include "bench/bench.hpp"
#include "bench/timing.hpp"
#include <functional>

namespace sino::bench {

void report_sweep (const BenchOptions &options, const std::function<Timing (const BenchOptions &)> &measure,
                   Report &report);

} // namespace sino::bench
