// SPDX-License-Identifier: LGPL-3.0-or-later
// Ends a run that makes no progress: no block is given or taken, no storage request ends, no processor loop continues.
#pragma once
#include "pass/quiet.hpp"
#include "pass/running-pass.hpp"

namespace sino {

class Watchdog
{
public:
  // Does nothing if the context has no time limit, or if a task waits for a program, which may take any time.
  explicit Watchdog (const RunningPass &running);

  // Call it about ten times a second. After the time limit without progress, throws an error that names the activity of
  // each task; run_threads (pass/pipeline) then ends the run.
  void look ();

private:
  const RunningPass &running;
  const bool sleeps;
  Quiet quiet;
};

} // namespace sino
