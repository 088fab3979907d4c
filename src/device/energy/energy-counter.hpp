// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <functional>

namespace sino {

// A counter that increases up to `range` joules and then restarts at 0.
struct EnergyCounter {
  std::function<double ()> read; // joules; throws Error
  double range = 0;              // 0: it never restarts
  double interval = 0.001;       // seconds between two updates
};

} // namespace sino
