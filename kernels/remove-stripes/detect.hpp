// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the columns of a sinogram that are stripes, from one number per column.
#pragma once
#include "kernels/remove-stripes/ranks.hpp"
#include <span>
#include <vector>

namespace sino::remove_stripes {

using Marks = std::vector<bool>; // one for each column of a sinogram

// Returns the numbers of the columns of one sinogram, selected from the numbers of all columns of a group.
std::vector<double> of_lane (const Shape &shape, int64_t lane, const std::vector<double> &numbers);

// Marks columns that stick out, and their neighbours; also columns without a finite number. In order of size, the
// numbers of normal columns are near a line; a deviation above `snr` times its rise is too large.
Marks stripes_of (std::span<const double> numbers, double snr);

// Dead or fluctuating columns; none, if they would be a third of all.
Marks dead_columns (std::span<const double> fluctuations, double snr, int64_t size);

// Interpolation of marked columns between the nearest good ones.
std::vector<Bridge> bridges_over (const Marks &marks);

// Deviation of columns from a smooth line, computed from the steps between columns: the line minus its Gaussian mean
// over a few columns. Unusually large values are edges of the object that do not move, and become 0.
std::vector<double> roughness (std::span<const double> steps);

} // namespace sino::remove_stripes
