// SPDX-License-Identifier: LGPL-3.0-or-later
// A source of slices with negligible cost, so that a run into `write` measures writing alone.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

// Registers the node.
Node blank_slices (const BenchOptions &options);

} // namespace sino::bench
