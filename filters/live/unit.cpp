// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/unit.hpp"
#include <algorithm>
#include <cmath>

namespace sino::live {

// Halves hold few decades. So values are counted in a power of two near their mean size.
std::optional<float> unit_for (double mean)
{
  if (!(mean > 0))
    return {};
  return static_cast<float> (std::exp2 (std::clamp (std::round (std::log2 (mean)), -100.0, 100.0)));
}

} // namespace sino::live
