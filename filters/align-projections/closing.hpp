// SPDX-License-Identifier: LGPL-3.0-or-later
// Two projections of a scan that see the object alike: the second one at the angle of the first, or mirrored half a
// turn from it in a parallel beam. A displacement between them is the closing error of the scan.
#pragma once
#include "filters/align-projections/details.hpp"
#include "stream/format.hpp"
#include <optional>
#include <string>

namespace sino::align_projections {

struct Closing {
  int64_t last;        // the other one is the first of the scan
  bool mirrored;       // half a turn from it
  double columns_away; // where columns of the mirrored projection lie without an error, in columns

  // The closing error, from the result of Registration::compare ().
  Displacement error (Displacement found) const;
  std::string words (const Displacement &error) const;
};

// None if there are no such projections, or if not enough is known of the geometry.
std::optional<Closing> closing_of (const Format &scan);

// A closing error above this many pixels is a warning.
constexpr double most_closing = 0.5;

} // namespace sino::align_projections
