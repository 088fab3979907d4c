// SPDX-License-Identifier: LGPL-3.0-or-later
// Counters of energy of CPUs, Intel's and AMD's, which Linux shows as files (RAPL).
#pragma once
#include "device/energy/energy-counter.hpp"
#include <string>
#include <vector>

namespace sino {

// Those of all packages, and of memory that is not in its package's; throws Error where there are none, or some cannot
// be read.
std::vector<EnergyCounter> powercap_counters (const std::string &folder);

} // namespace sino
