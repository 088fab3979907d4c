// SPDX-License-Identifier: LGPL-3.0-or-later
// Transmission to attenuation.
#pragma once
#include <cstdint>

namespace sino::minus_log {

// -ln (value / air), or -ln (least) if value / air is below `least`. Returns how many were below. NaN stays NaN, and
// infinity becomes minus infinity. A result depends on its value only.
int64_t minus_log (const float *values, int64_t n, float air, float least, float *out);

} // namespace sino::minus_log
