// SPDX-License-Identifier: LGPL-3.0-or-later
// Columns that do not change while the object rotates: dead columns, stripes, NaN. The mirror image of such a column
// would match the column itself.
#pragma once
#include "device/cpu.hpp"
#include <vector>

namespace sino::find_axis {

// Replaces such columns of a sinogram [angle][column] by interpolation between their neighbours. Returns the mean of
// each column; empty if no good column is left.
std::vector<double> bridge_columns (float *sinogram, int64_t angles, int64_t columns, const Cpu &cpu);

} // namespace sino::find_axis
