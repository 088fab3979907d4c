// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians over all angles of the differences between columns.
#pragma once
#include "kernels/remove-stripes/shape.hpp"

namespace sino::remove_stripes {

// Bytes of temporary memory per thread.
size_t differences_scratch (int64_t angles);

// Computes for `n` columns, from `column` on, the median of their differences from as many columns of `others`, from
// `other` on: the value at rank angles / 2. `errors`, or null: the standard error of each median, from the median
// deviation.
void median_differences (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *others,
                         int64_t other, int64_t n, void *scratch, float *medians, double *errors);

} // namespace sino::remove_stripes
