// SPDX-License-Identifier: LGPL-3.0-or-later
// Combines the verdicts of all methods about the axis.
#pragma once
#include "filters/find-axis/verdict.hpp"
#include <span>

namespace sino::find_axis {

constexpr double noticeable = 0.5; // columns by which two methods may differ without a warning

struct Decision {
  Verdict best;                // its error includes the differences between methods
  std::vector<Verdict> agree;  // other methods that find the same axis
  std::vector<Verdict> differ; // methods that find another axis and have at least as many votes

  // Why the axis is in doubt, or "".
  std::string doubt () const;
};

// Empty if no method is reliable. Among verdicts with equally many votes the first one wins.
std::optional<Decision> decide (std::span<const Verdict> verdicts);

} // namespace sino::find_axis
