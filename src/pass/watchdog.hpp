// SPDX-License-Identifier: LGPL-3.0-or-later
// Ends a run in which nothing comes on any more: no block is given or taken, no request to a storage ends, no loop of
// the processors goes on.
#pragma once
#include "pass/quiet.hpp"
#include "pass/running-pass.hpp"

namespace sino {

class Watchdog
{
public:
  // Sleeps where the context has no time for it, and where a task waits for a program, which may take any time.
  explicit Watchdog (const RunningPass &run);

  // Is called about ten times a second. Throws what the tasks are at once nothing has come on for that time.
  void look ();

private:
  const RunningPass &run;
  const bool sleeps;
  Quiet quiet;
};

} // namespace sino
