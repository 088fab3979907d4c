// SPDX-License-Identifier: LGPL-3.0-or-later
// The factors of a ramp filter, for nodes that filter rows themselves.
#pragma once
#include "device/cpu.hpp"
#include "filters/ramp-filter/words.hpp"
#include <vector>

namespace sino::ramp_filter {

// Half the length to which rows of this width are padded; `least`: of the whole.
int64_t padded_half (int64_t least);

// The factors at the frequencies 0 to `half`, of rows of 2 half values. `spacing`: distance of columns.
std::vector<double> factors (int64_t half, Window window, const RampSettings &ramp, double spacing, const Cpu &cpu);

} // namespace sino::ramp_filter
