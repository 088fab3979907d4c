// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds pairs of projections half a turn apart in a full turn.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sino::stitch_360 {

struct Pair {
  int64_t direct, mirror; // direct: comes first in the stream; mirror: -1: none
};

// Pairs in the order of their first projections; angles in radians in any order. With an odd number of projections, the
// last is dropped if it repeats the first. If one projection has no partner, all stay alone. Returns the problem and
// its remedy, or "".
std::string make_pairs (std::span<const double> angles, std::vector<Pair> &pairs);

} // namespace sino::stitch_360
