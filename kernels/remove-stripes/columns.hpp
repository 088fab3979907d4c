// SPDX-License-Identifier: LGPL-3.0-or-later
// Compares a column with its smoothed copy, and corrects it.
#pragma once
#include "kernels/remove-stripes/ranks.hpp"
#include <span>

namespace sino::remove_stripes {

// Divides a column by a positive number, which keeps the order of its values.
void divide_column (const Shape &shape, int32_t *strips, int64_t column, float divisor);

void copy_column (const Shape &shape, const int32_t *from, int64_t column, int32_t *to);

// Reduces a number by its possible error, softly: the non-negative garrote (L. Breiman, Technometrics 37, 1995, 373),
// which hardly changes numbers that are much larger than the error.
double beyond_error (double number, double error);

// Subtracts a number from a column.
void lower_column (const Shape &shape, int32_t *strips, int64_t column, float by);

// --- columns in the order of their angles; `bridges`: one for each column, or none ---

// Writes a line of one angle minus a number for each column.
void lower_line (const float *in, std::span<const Bridge> bridges, std::span<const float> by, float *out);

} // namespace sino::remove_stripes
