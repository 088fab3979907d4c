// SPDX-License-Identifier: LGPL-3.0-or-later
// A plane as 16-bit values, from which a browser makes greys with any limits.
#pragma once
#include "monitor/volume/plane.hpp"
#include <map>

namespace sino::monitor {

// 0: not finite; 1 to 65535: from `low` to `high` in equal steps. Values beyond these limits get the nearest of them.
struct Picture {
  int64_t width = 0, height = 0;
  std::vector<uint16_t> values;
  double low = 0, high = 1;
  int level = 0;
  bool full = true;
};

// The limits are those of the values. If a few values lie far outside the others, which would then have few steps, the
// limits are eight times as wide as the others' range.
Picture picture_of (const Plane &plane, const Cpu &cpu);

// Statistics of the finite values of a plane.
struct Figures {
  double low = 0, high = 0, mean = 0, deviation = 0;
  std::vector<int64_t> counts;               // in equal intervals from `low` to `high`
  std::map<std::string, double> percentiles; // by their names: "0.1", "50"
  int64_t finite = 0, others = 0;            // numbers of values
};

Figures figures_of (const Plane &plane);

// Values along a line between two points of a plane, interpolated, about a pixel apart. Pixel centres have whole
// numbers; points outside are NaN.
std::vector<double> profile_of (const Plane &plane, std::array<double, 2> from, std::array<double, 2> to);

} // namespace sino::monitor
