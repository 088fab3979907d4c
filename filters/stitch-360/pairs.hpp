// SPDX-License-Identifier: LGPL-3.0-or-later
// Which projections of a whole turn are half a turn apart.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sino::stitch_360 {

struct Pair {
  int64_t direct, mirror; // the first of both in the stream, and the other one; -1: none
};

// In the order of the first ones, of angles in radians in any order. The last of an odd number is left out where it
// repeats the first a turn later. Where one projection has no other one half a turn later, all stay alone. Returns what
// is wrong and how it is mended, or "".
std::string make_pairs (std::span<const double> angles, std::vector<Pair> &pairs);

} // namespace sino::stitch_360
