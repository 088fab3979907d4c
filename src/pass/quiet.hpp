// SPDX-License-Identifier: LGPL-3.0-or-later
// Measures how long a run has made no progress, for the Watchdog during a pass and for attend () before it.
#pragma once
#include "pass/context.hpp"
#include <chrono>

namespace sino {

class Quiet
{
public:
  explicit Quiet (const RunContext &c) : context (c), beats (c.beats ()), looked (Clock::now ()) {}

  // Call it about ten times a second. Returns whether the time without progress exceeds the limit of the run.
  bool too_long ();
  double seconds () const { return quiet; }

private:
  using Clock = std::chrono::steady_clock;
  const RunContext &context;
  int64_t beats;
  double quiet = 0; // seconds; time in which the process was stopped does not count
  Clock::time_point looked;
};

} // namespace sino
