// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles of a scan from "start:stop" in degrees, stop excluded, as the nodes that begin a stream take them.
#pragma once
#include "base/angle.hpp"
#include "base/error.hpp"
#include <cmath>

namespace sino {

// `n` evenly spaced angles in radians.
inline std::vector<double> spread_angles (const std::string &range, int64_t n)
{
  const auto ends = parse_numbers (range, ':');
  if (ends.size () != 2 || !(std::abs (ends[0]) <= 1e9) || !(std::abs (ends[1]) <= 1e9))
    fail (SINO_ERROR_BAD_PROPERTY, "angles: start:stop in degrees is wanted, such as 0:180, not '%s'", range.c_str ());
  std::vector<double> angles;
  for (int64_t i = 0; i < n; i++)
    angles.push_back (radians (ends[0] + (ends[1] - ends[0]) * static_cast<double> (i) / static_cast<double> (n)));
  return angles;
}

} // namespace sino
