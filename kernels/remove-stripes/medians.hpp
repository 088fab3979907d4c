// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians across the columns of a sinogram, for each rank separately.
#pragma once
#include "kernels/remove-stripes/shape.hpp"

namespace sino::remove_stripes {

// Bytes of temporary memory per thread.
size_t medians_scratch (int64_t size);

// Replaces each key in strip `s` of the sinogram in `lane` by the median of the `size` keys (an odd number) around it,
// mirrored at the borders. `to` may be `from`.
void medians_across (const Shape &shape, int64_t s, int64_t lane, int64_t size, const int32_t *from, void *scratch,
                     int32_t *to);

} // namespace sino::remove_stripes
