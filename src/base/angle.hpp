// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles are degrees where people and files say them, and radians inside.
#pragma once
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

} // namespace sino
