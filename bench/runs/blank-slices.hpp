// SPDX-License-Identifier: LGPL-3.0-or-later
// A source of slices that costs next to nothing, so that a run into `write` takes what writing alone takes.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

// Adds the node to those that there are.
Node blank_slices (const BenchOptions &options);

} // namespace sino::bench
