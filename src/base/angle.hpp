// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles are in degrees for users and in files, and in radians in the code.
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

// Whether `count` angles without a unit, over a range of `span`, may be radians of a half or a whole turn.
constexpr bool may_be_radians (int64_t count, double span)
{
  return count >= 60 && span > 3 && span < 6.4;
}

} // namespace sino
