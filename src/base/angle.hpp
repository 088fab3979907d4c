// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles are in degrees for people and in files, and in radians in the code.
#pragma once
#include <cstdint>
#include <numbers>

namespace sino {

constexpr double radians (double degrees)
{
  return degrees * std::numbers::pi / 180;
}

constexpr double degrees (double radians)
{
  return radians * 180 / std::numbers::pi;
}

// Whether angles without a unit, which span so much, may be radians of half a turn or of a whole one.
constexpr bool may_be_radians (int64_t count, double span)
{
  return count >= 60 && span > 3 && span < 6.4;
}

} // namespace sino
