// SPDX-License-Identifier: LGPL-3.0-or-later
// Ends a run in which nothing comes on any more: no block is given or taken, no request to a storage ends, no loop of
// the processors goes on.
#pragma once
#include "run/pass-run.hpp"

namespace sino {

// How long nothing has come on.
class Quiet
{
public:
  // `seconds`: that are too long; 0: none are.
  Quiet (const RunContext &c, double seconds)
      : context (c), patience (seconds), beats (c.beats ()), looked (StageClock::Clock::now ())
  {
  }

  // Is called about ten times a second.
  bool too_long ();
  double seconds () const { return quiet; }

private:
  const RunContext &context;
  const double patience;
  int64_t beats;
  double quiet = 0; // seconds, of a process that was not stopped meanwhile
  StageClock::Clock::time_point looked;
};

class Watchdog
{
public:
  // Sleeps where the context has no time for it, and where a task waits for a program, which may take any time.
  explicit Watchdog (const PassRun &run);

  // Is called about ten times a second. Throws what the tasks are at once nothing has come on for that time.
  void look ();

private:
  const PassRun &run;
  Quiet quiet;
};

// Has the workers of a pass made, which open files and load drivers, and watches that, too.
std::shared_ptr<PassRun> begin_pass (const std::shared_ptr<RunContext> &context, const Pass &pass);

} // namespace sino
