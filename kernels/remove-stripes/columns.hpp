// SPDX-License-Identifier: LGPL-3.0-or-later
// Numbers of a column beside its smooth copy, and what they correct.
#pragma once
#include "kernels/remove-stripes/shape.hpp"

namespace sino::remove_stripes {

// The mean of a column's ranks but `dropped` at either end.
double mean_rank (const Shape &shape, const int32_t *strips, int64_t column, int64_t dropped);

// Divides a column by a positive number, which keeps the order.
void divide_column (const Shape &shape, int32_t *strips, int64_t column, float divisor);

void copy_column (const Shape &shape, const int32_t *from, int64_t column, int32_t *to);

// The median of what a column is above another one, at each angle. `scratch`: a key for each.
float median_difference (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *other_strips,
                         int64_t other, int32_t *scratch);

// Subtracts a number; none that is not finite.
void lower_column (const Shape &shape, int32_t *strips, int64_t column, float by);

} // namespace sino::remove_stripes
