// SPDX-License-Identifier: LGPL-3.0-or-later
// Measures the peak performance of the CPU.
#pragma once
#include "kernels/back-project/native/cost.hpp"
#include <string>

namespace sino::bench {

struct Peaks {
  int threads;
  std::array<double, peaks::operations> operations; // per second, all threads together; 0: not available on this CPU
  double l2, memory, copy;                          // bytes per second; for a copy, bytes read plus bytes written
};

// Measures with the CPU's longest vectors.
Peaks measure_peaks (int threads);

// Measures only the rate of copies, in bytes per second.
double measure_copy (int threads);

struct Roof {
  double gups = 0;
  std::string bound_by; // the limiting resource
};

// Measures only the needed peaks.
Roof roof_of (const back_project::Cost &cost, int threads);

} // namespace sino::bench
