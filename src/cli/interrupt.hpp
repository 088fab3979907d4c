// SPDX-License-Identifier: LGPL-3.0-or-later
// Handles Ctrl-C and similar signals: cancels the run and ends the process within a second, even if a worker does not
// return, without leaving half-written files.
#pragma once
#include "run/run.hpp"

namespace sino::cli {

// Starts a thread that handles SIGINT, SIGTERM, SIGHUP and SIGQUIT, and ignores SIGPIPE. To be called before any other
// thread starts. Throws if no thread can be started.
void watch_signals ();

// Whether a signal came.
bool signalled ();

// The reason for the end of the process was printed; a later signal prints nothing.
void told_why () noexcept;

// Removes the files under construction and ends the process with status 130.
[[noreturn]] void leave_interrupted () noexcept;

// While this object exists, a signal cancels the run.
class Cancelling : NoCopy
{
public:
  explicit Cancelling (Run &run);
  ~Cancelling ();
};

} // namespace sino::cli
