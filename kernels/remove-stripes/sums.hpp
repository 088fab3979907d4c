// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums along columns. Each is added up in the order of its values, whatever vectors do beside it.
#pragma once
#include "kernels/remove-stripes/ranks.hpp"
#include <span>

namespace sino::remove_stripes {

// Computes for the columns [begin, end) of the group, all lanes: the sum over angles of the distance from the mean over
// neighbouring angles; infinity if a value is NaN.
void fluctuations (const Shape &shape, const float *group, int64_t begin, int64_t end, double *sums);

// Computes for the columns [begin, end) the mean of the values in order, without `dropped` values at either end.
void mean_ranks (const Shape &shape, const int32_t *strips, int64_t begin, int64_t end, int64_t dropped, double *means);

// Writes the means [begin, end) of `means.angles` to the strips: each is the mean over the neighbouring angles that
// belong to it, without NaN and infinite values. `bridges`: one for each column, or none.
void means_of_angles (const Shape &group, const float *in, std::span<const Bridge> bridges, const Shape &means,
                      int64_t begin, int64_t end, int32_t *strips);

} // namespace sino::remove_stripes
