// SPDX-License-Identifier: LGPL-3.0-or-later
// Energy counters of Intel and AMD CPUs, which Linux provides as files (RAPL).
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace sino {

// A counter that increases up to `range` joules and then restarts at 0.
struct EnergyCounter {
  std::function<double ()> read; // joules; throws Error
  double range = 0;              // 0: it never restarts
  double interval = 0.001;       // seconds between two updates
};

// Counters of all packages, and of memory that is not included in its package. Throws Error if there is none, or one
// cannot be read.
std::vector<EnergyCounter> powercap_counters (const std::string &folder);

} // namespace sino
