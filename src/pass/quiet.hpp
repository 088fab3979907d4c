// SPDX-License-Identifier: LGPL-3.0-or-later
// How long nothing has come on in a run.
#pragma once
#include "pass/context.hpp"
#include <chrono>

namespace sino {

class Quiet
{
public:
  explicit Quiet (const RunContext &c) : context (c), beats (c.beats ()), looked (Clock::now ()) {}

  // Is called about ten times a second. Whether it is longer than the run is to wait.
  bool too_long ();
  double seconds () const { return quiet; }

private:
  using Clock = std::chrono::steady_clock;
  const RunContext &context;
  int64_t beats;
  double quiet = 0; // seconds, of a process that was not stopped meanwhile
  Clock::time_point looked;
};

} // namespace sino
