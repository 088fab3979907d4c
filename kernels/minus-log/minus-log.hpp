// SPDX-License-Identifier: LGPL-3.0-or-later
// Transmission to attenuation.
#pragma once
#include <cstdint>

namespace sino::minus_log {

// -ln (value / air), of `least` where value / air is below it. Gives back how many were. NaN stays NaN, and infinity
// becomes minus infinity. A value's result depends on that value only.
int64_t minus_log (const float *values, int64_t n, float air, float least, float *out);

} // namespace sino::minus_log
