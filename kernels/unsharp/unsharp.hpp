// SPDX-License-Identifier: LGPL-3.0-or-later
// A line of an image made sharper.
#pragma once
#include "stream/element.hpp"
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sino::unsharp {

// Samples of a Gaussian that add up to 1, the middle one and those on one side, up to 4 standard deviations.
std::vector<float> gaussian (double sigma);

// Values on either side of one that it is made of.
inline int64_t reach_of (double sigma)
{
  return std::lround (4 * sigma);
}

// `lines`: reach above, the line, reach below; they begin `reach` columns, `step` values from one to the next, before
// the first of n values. `scratch`: n + 2 * reach * step floats.
void unsharp_line (Element element, std::span<const std::byte *const> lines, std::span<const float> weights,
                   float amount, int64_t step, int64_t n, float *scratch, float *out);

} // namespace sino::unsharp
