// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles are in degrees for people and in files, and in radians in the code.
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
