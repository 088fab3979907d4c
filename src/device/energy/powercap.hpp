// SPDX-License-Identifier: LGPL-3.0-or-later
// Counters of energy of CPUs, Intel's and AMD's, which Linux shows as files (RAPL).
#pragma once
#include "device/energy/energy-counter.hpp"
#include <string>
#include <vector>

namespace sino {

// Counters of all packages, and of memory that its package does not count. Throws Error where there is none, or one
// cannot be read.
std::vector<EnergyCounter> powercap_counters (const std::string &folder);

} // namespace sino
