// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians of a line of keys. Each type of key has its own file, because compilers need long for the networks.
#pragma once
#include "kernels/median/window.hpp"
#include <cstdint>

namespace sino::median {

// The medians of median_line, of keys; NaNs are the greatest keys.
void medians_8 (MedianWindow window, const uint8_t *const *lines, int64_t step, int64_t n, uint8_t *scratch,
                uint8_t *out);
void medians_16 (MedianWindow window, const uint16_t *const *lines, int64_t step, int64_t n, uint16_t *scratch,
                 uint16_t *out);
void medians_32 (MedianWindow window, const int32_t *const *lines, int64_t step, int64_t n, int32_t *scratch,
                 int32_t *out);

} // namespace sino::median
