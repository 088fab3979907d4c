// SPDX-License-Identifier: LGPL-3.0-or-later
// Columns that do not change while the object rotates: dead columns, stripes, NaN. The mirror image of such a column
// would match the column itself.
#pragma once
#include <cstdint>

namespace sino::find_axis {

// Replaces such columns of a sinogram [angle][column] by interpolation between their neighbours. False if no good
// column is left.
bool bridge_columns (float *sinogram, int64_t angles, int64_t columns);

} // namespace sino::find_axis
