// SPDX-License-Identifier: LGPL-3.0-or-later
// Measures writing alone, as a limit of runs.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

// Runs with the number of requests that `write` finds to be fast, and with as many as it may have.
struct WritingAlone {
  WholeRuns found, most;

  const WholeRuns &faster () const { return found.timing.median < most.timing.median ? found : most; }
};

// Writes slices that cost nothing into the folder, which is removed before each run.
WritingAlone writing_alone (const std::string &folder, const BenchOptions &options);

} // namespace sino::bench
