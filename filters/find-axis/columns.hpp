// SPDX-License-Identifier: LGPL-3.0-or-later
// What stands still on the detector while the object turns: dead columns, stripes, values that are no numbers. A mirror
// image of such a column would be found at the column itself.
#pragma once
#include <cstdint>

namespace sino::find_axis {

// Brings what is between neighbours in the place of such columns of a sinogram (angle, column). False when no others
// are left.
bool bridge_columns (float *sinogram, int64_t angles, int64_t columns);

} // namespace sino::find_axis
