// SPDX-License-Identifier: LGPL-3.0-or-later
// Handles Ctrl-C and similar signals: cancels the run and ends the process within a second, even if a worker does not
// return, without leaving half-written files.
#pragma once
#include "run/run.hpp"

namespace sino::cli {

// To be called before any other thread starts: from now on a separate thread handles SIGINT, SIGTERM, SIGHUP and
// SIGQUIT; SIGPIPE is ignored. Throws if no thread can be started.
void watch_signals ();

// Whether a signal came.
bool signalled ();

// The reason for the end of the process was printed; a later signal prints nothing.
void told_why () noexcept;

// Removes the files under construction and ends the process with status 130.
[[noreturn]] void leave_interrupted () noexcept;

// While this object exists, a signal cancels the run.
class Cancelling
{
public:
  explicit Cancelling (Run &run);
  ~Cancelling ();
  Cancelling (const Cancelling &) = delete;
  Cancelling &operator= (const Cancelling &) = delete;
};

} // namespace sino::cli
