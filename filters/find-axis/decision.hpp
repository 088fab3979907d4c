// SPDX-License-Identifier: LGPL-3.0-or-later
// What all methods say of the axis, together.
#pragma once
#include "filters/find-axis/verdict.hpp"
#include <span>

namespace sino::find_axis {

constexpr double noticeable = 0.5; // columns by which two methods may differ

struct Decision {
  Verdict best;                // with the error of all
  std::vector<Verdict> agree;  // other methods that say the same
  std::vector<Verdict> differ; // those that say something else, and are not outvoted

  // Why the axis is in doubt, or "".
  std::string doubt () const;
};

// Nothing, where no method can be believed. The first of the verdicts counts among those that as many agree with.
std::optional<Decision> decide (std::span<const Verdict> verdicts);

} // namespace sino::find_axis
