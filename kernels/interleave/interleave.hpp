// SPDX-License-Identifier: LGPL-3.0-or-later
// Lays rows side by side: out[column * lanes + lane] = rows[lane][column].
#pragma once
#include <cstddef>
#include <cstdint>

namespace sino::kernels {

// `element_size` 1, 2 or 4; `lanes` 1, 2, 4, 8, 16 or 32, as many as `rows` has pointers.
void interleave (size_t element_size, int lanes, const std::byte *const *rows, int64_t columns, std::byte *out);

} // namespace sino::kernels
