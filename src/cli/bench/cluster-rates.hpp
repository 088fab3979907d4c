// SPDX-License-Identifier: LGPL-3.0-or-later
// What this machine brings into a prediction for a cluster of such machines.
#pragma once
#include "cli/bench/bench.hpp"

namespace sino::cli {

// How long a slice takes in a run from a file to nothing, as long as it goes on: neither its start nor its end count.
struct SliceRate {
  double seconds;
  int64_t size, projections, slices; // of the scan that was measured, which is smaller
  bool fourier;

  // Seconds of a slice of another scan: back-projection by its updates, reconstruction in Fourier space by its
  // transforms.
  double seconds_of (int64_t size, int64_t projections) const;
};

SliceRate measure_slice_rate (const BenchOptions &options);

// Slices of a work item, and of how many it has a multiple, as this machine plans the scan for one process that has
// memory enough.
struct PlannedItem {
  double slices, step;
};

PlannedItem plan_item (const BenchOptions &options);

// How long a process of this program takes for a run of one small slice: libraries, devices, negotiation, plan.
double measure_start (const BenchOptions &options);

} // namespace sino::cli
