// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstdint>

namespace sino::half_pack {

// Rounds values to the nearest IEEE halves, ties to even. Returns how many finite values became infinite.
int64_t half_pack (const float *values, int64_t n, uint16_t *halves);

} // namespace sino::half_pack
