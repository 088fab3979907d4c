// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <functional>

namespace sino {

// A counter that only grows, up to `range` joules, where it begins again.
struct EnergyCounter {
  std::function<double ()> read; // joules; throws Error
  double range = 0;              // 0: it never begins again
  double interval = 0.001;       // seconds between two moves of it
};

} // namespace sino
