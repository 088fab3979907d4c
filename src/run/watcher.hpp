// SPDX-License-Identifier: LGPL-3.0-or-later
// Who shows the runs of a runner.
#pragma once
#include "base/visibility.hpp"
#include <string>

namespace sino {

class Run;

class SINO_VISIBLE RunWatcher
{
public:
  virtual ~RunWatcher () = default;

  // A run was prepared; it lives until end ().
  virtual void begin (Run &run) = 0;
  // A run has ended, which may never have begun. `state`: "done", "failed" or "cancelled".
  virtual void end (const char *state, const std::string &message) = 0;
  // Bytes that it takes at most while a run goes on.
  virtual double bytes () const = 0;
};

} // namespace sino
