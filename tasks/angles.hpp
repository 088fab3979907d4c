// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles of a scan from "start:stop" in degrees, stop excluded, as the nodes that begin a stream take them.
#pragma once
#include "base/error.hpp"
#include <cmath>
#include <numbers>

namespace sino {

// `n` evenly spaced angles in radians.
inline std::vector<double> spread_angles (const std::string &range, int64_t n)
{
  const auto colon = range.find (':');
  double start = 0, stop = 0;
  if (colon == range.npos || !parse_number (std::string_view (range).substr (0, colon), start) ||
      !parse_number (std::string_view (range).substr (colon + 1), stop) || !(std::abs (start) <= 1e9) ||
      !(std::abs (stop) <= 1e9))
    fail (SINO_ERROR_BAD_PROPERTY, "angles: start:stop in degrees is wanted, such as 0:180, not '%s'", range.c_str ());
  std::vector<double> angles;
  for (int64_t i = 0; i < n; i++)
    angles.push_back ((start + (stop - start) * static_cast<double> (i) / static_cast<double> (n)) * std::numbers::pi /
                      180);
  return angles;
}

} // namespace sino
