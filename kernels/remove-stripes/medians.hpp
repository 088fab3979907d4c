// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians of a column, and across the columns of a sinogram, of each rank by itself.
#pragma once
#include "kernels/remove-stripes/shape.hpp"

namespace sino::remove_stripes {

// The key with `n` / 2 before it in order.
int32_t middle_of (const int32_t *keys, int64_t n);

// Bytes of what a thread works in.
size_t medians_scratch (int64_t size);

// Strip `s` of the sinogram in `lane`: each key becomes the median of the `size` ones (an odd number) around it,
// mirrored at the borders. `to` may be `from`.
void medians_across (const Shape &shape, int64_t s, int64_t lane, int64_t size, const int32_t *from, void *scratch,
                     int32_t *to);

} // namespace sino::remove_stripes
