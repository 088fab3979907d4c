// SPDX-License-Identifier: LGPL-3.0-or-later
// What the CPU reaches at most, measured now.
#pragma once
#include "kernels/back-project/native/cost.hpp"
#include <string>

namespace sino::bench {

struct Peaks {
  int threads;
  std::array<double, peaks::operations> operations; // per second, all threads together; 0: not on this CPU
  double l2, memory, copy;                          // bytes per second; of a copy those read and those written
};

// Measures with the CPU's longest vectors.
Peaks measure_peaks (int threads);

// Bytes per second of copies alone.
double measure_copy (int threads);

struct Roof {
  double gups = 0;
  std::string bound_by; // the resource that is used up first
};

// Measures what is needed.
Roof roof_of (const back_project::Cost &cost, int threads);

} // namespace sino::bench
