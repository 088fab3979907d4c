// SPDX-License-Identifier: LGPL-3.0-or-later
// Energy counters of Intel and AMD CPUs, which Linux provides as files (RAPL).
#pragma once
#include "device/energy/energy-counter.hpp"
#include <string>
#include <vector>

namespace sino {

// Counters of all packages, and of memory that is not included in its package. Throws Error if there is none, or one
// cannot be read.
std::vector<EnergyCounter> powercap_counters (const std::string &folder);

} // namespace sino
