// SPDX-License-Identifier: LGPL-3.0-or-later
// Interleaves `lanes` rows (1, 2, 4, 8, 16 or 32).
#pragma once
#include <cstddef>
#include <cstdint>

namespace sino::interleave {

// out[column * lanes + lane] = rows[lane][column], values of 1, 2 or 4 bytes. `far`: bypasses the caches, for results
// larger than these.
void interleave (size_t element_size, int lanes, const std::byte *const *rows, int64_t columns, std::byte *out,
                 bool far = false);
// The inverse: rows[lane][column] = in[column * lanes + lane].
void take_apart (int lanes, const float *in, int64_t columns, float *const *rows, bool far = false);

} // namespace sino::interleave
