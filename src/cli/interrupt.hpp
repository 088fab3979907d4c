// SPDX-License-Identifier: LGPL-3.0-or-later
// Ctrl-C and its like: the run is cancelled, and the process leaves within a second even when a worker does not
// return, without leaving half-written files.
#pragma once
#include "run/run.hpp"

namespace sino::cli {

// Before any other thread starts: a thread of its own takes SIGINT, SIGTERM, SIGHUP and SIGQUIT from now on,
// and SIGPIPE is ignored. Throws where no thread can be started.
void watch_signals ();

// Whether a signal came.
bool signalled ();

// People were told why the process ends: a signal that comes now is no news.
void told_why () noexcept;

// Removes the files under construction and ends the process with status 130.
[[noreturn]] void leave_interrupted () noexcept;

// While it lives, a signal cancels the run.
class Cancelling
{
public:
  explicit Cancelling (Run &run);
  ~Cancelling ();
  Cancelling (const Cancelling &) = delete;
  Cancelling &operator= (const Cancelling &) = delete;
};

} // namespace sino::cli
