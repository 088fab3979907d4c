// SPDX-License-Identifier: LGPL-3.0-or-later
// Sharpens a line of an image.
#pragma once
#include "stream/element.hpp"
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sino::unsharp {

// Samples of a Gaussian that add up to 1: the middle one and those on one side, up to 4 standard deviations.
std::vector<float> gaussian (double sigma);

// Number of neighbours on either side that a value depends on.
inline int64_t reach_of (double sigma)
{
  return std::lround (4 * sigma);
}

// `lines`: reach lines above, the line, reach lines below. They begin `reach` columns before the first of n values;
// `step`: distance of columns. `scratch`: n + 2 * reach * step floats.
void unsharp_line (Element element, std::span<const std::byte *const> lines, std::span<const float> weights,
                   float amount, int64_t step, int64_t n, float *scratch, float *out);

} // namespace sino::unsharp
