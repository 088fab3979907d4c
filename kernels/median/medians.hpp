// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians of a line of keys.
#pragma once
#include "kernels/median/window.hpp"
#include <cstdint>

namespace sino::median {

// The medians of median_line, of uint8_t, uint16_t or int32_t; NaNs are the greatest keys.
template <class Key>
void medians_of_keys (MedianWindow window, const Key *const *lines, int64_t step, int64_t n, Key *scratch, Key *out);

} // namespace sino::median
