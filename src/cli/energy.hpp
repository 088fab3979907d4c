// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/energy/energy.hpp"

namespace sino::cli {

// "CPU 1000 J, cl:0 234 J": the parts that were measured.
std::string parts_text (const Energy &energy);

// A line of what was measured, and one for each part that was not. `voxels`: 0 where none were reconstructed.
std::string energy_lines (const Energy &energy, double seconds, double voxels);

} // namespace sino::cli
