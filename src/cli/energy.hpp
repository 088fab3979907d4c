// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/energy/energy.hpp"

namespace sino::cli {

// "CPU 1000 J, cl:0 234 J": the measured parts.
std::string parts_text (const Energy &energy);

// One line for the measured energy, and one for each part that could not be measured. `voxels`: 0 if none were
// reconstructed.
std::string energy_lines (const Energy &energy, double seconds, double voxels);

} // namespace sino::cli
