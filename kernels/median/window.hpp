// SPDX-License-Identifier: LGPL-3.0-or-later
// The window of a median.
#pragma once

namespace sino::median {

struct MedianWindow {
  int size;    // odd, 3 to most_median
  bool square; // SIZE x SIZE values, else SIZE values below each other
};
constexpr int most_median = 15;

} // namespace sino::median
