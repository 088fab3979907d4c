// SPDX-License-Identifier: LGPL-3.0-or-later
// Compares a column with its smoothed copy, and corrects it.
#pragma once
#include "kernels/remove-stripes/ranks.hpp"
#include <span>

namespace sino::remove_stripes {

// Mean of a column's values in order, without `dropped` values at either end.
double mean_rank (const Shape &shape, const int32_t *strips, int64_t column, int64_t dropped);

// Divides a column by a positive number, which keeps the order of its values.
void divide_column (const Shape &shape, int32_t *strips, int64_t column, float divisor);

void copy_column (const Shape &shape, const int32_t *from, int64_t column, int32_t *to);

// Median over all angles of the difference between a column and another one. `scratch`: a key for each angle; contains
// the differences afterwards.
float median_difference (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *other_strips,
                         int64_t other, int32_t *scratch);

// Standard error of the median of `n` keys, from their median deviation; changes the keys.
double error_of_median (int32_t *keys, int64_t n, float median);

// Reduces a number by its possible error, softly: the non-negative garrote (L. Breiman, Technometrics 37, 1995, 373),
// which hardly changes numbers that are much larger than the error.
double beyond_error (double number, double error);

// Subtracts a number from a column.
void lower_column (const Shape &shape, int32_t *strips, int64_t column, float by);

// --- columns in the order of their angles; `bridges`: one for each column, or none ---

// Writes mean `i` of `means.angles` to the strips: the mean over the angles that belong to it, without NaN.
void mean_of_angles (const Shape &group, const float *in, std::span<const Bridge> bridges, const Shape &means,
                     int64_t i, int32_t *strips);

// Writes a line of one angle minus a number for each column.
void lower_line (const float *in, std::span<const Bridge> bridges, std::span<const float> by, float *out);

} // namespace sino::remove_stripes
