// SPDX-License-Identifier: LGPL-3.0-or-later
// Which columns of a sinogram are stripes, told from a number of each column.
#pragma once
#include "kernels/remove-stripes/ranks.hpp"
#include <span>
#include <vector>

namespace sino::remove_stripes {

using Marks = std::vector<bool>; // of the columns of a sinogram

// The numbers of one sinogram's columns, of those of all columns of a group.
std::vector<double> of_lane (const Shape &shape, int64_t lane, const std::vector<double> &numbers);

// How far the columns [begin, end) of a group are from their means over ten angles, summed over all angles.
void fluctuations (const Shape &shape, const float *group, int64_t begin, int64_t end, double *sums);

// Columns that stick out, and their neighbours; those without a finite number alike. Ordered, the numbers of the others
// are near a line; `snr` times its rise is too much.
Marks stripes_of (std::span<const double> numbers, double snr);

// The unresponsive and fluctuating columns; none, if that would be a third of them.
Marks dead_columns (std::span<const double> fluctuations, double snr, int64_t size);

// How marked columns are filled: between the nearest good ones.
std::vector<Bridge> bridges_over (const Marks &marks);

// How far columns are from a smooth line, of the steps from each to the next one: of the line of steps, less its
// Gaussian mean over a few columns. What is much more than usual is an edge of the object that does not move, and
// becomes 0.
std::vector<double> roughness (std::span<const double> steps);

} // namespace sino::remove_stripes
