// SPDX-License-Identifier: LGPL-3.0-or-later
// Numbers of a column beside its smooth copy, and what they correct.
#pragma once
#include "kernels/remove-stripes/ranks.hpp"
#include <span>

namespace sino::remove_stripes {

// The mean of a column's ranks but `dropped` at either end.
double mean_rank (const Shape &shape, const int32_t *strips, int64_t column, int64_t dropped);

// Divides a column by a positive number, which keeps the order.
void divide_column (const Shape &shape, int32_t *strips, int64_t column, float divisor);

void copy_column (const Shape &shape, const int32_t *from, int64_t column, int32_t *to);

// The median of what a column is above another one, at each angle. `scratch`: a key for each, which has those
// differences behind it.
float median_difference (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *other_strips,
                         int64_t other, int32_t *scratch);

// The standard error of the median of `n` keys, told from their median deviation from it; changes the keys.
double error_of_median (int32_t *keys, int64_t n, float median);

// What is left of a number when all of it that may be its error is taken, softly: the non-negative garrote (L. Breiman,
// Technometrics 37, 1995, 373), which leaves numbers that are much larger than that nearly as they are.
double beyond_error (double number, double error);

// Subtracts a number.
void lower_column (const Shape &shape, int32_t *strips, int64_t column, float by);

// --- columns in the order of their angles; `bridges`: one for each column, or none ---

// Puts mean `i` of `means.angles` into their strips: of all angles that fall to it, and of values that are numbers.
void mean_of_angles (const Shape &group, const float *in, std::span<const Bridge> bridges, const Shape &means,
                     int64_t i, int32_t *strips);

// A line of one angle less a number for each column.
void lower_line (const float *in, std::span<const Bridge> bridges, std::span<const float> by, float *out);

} // namespace sino::remove_stripes
