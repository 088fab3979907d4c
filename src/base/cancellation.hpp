// SPDX-License-Identifier: LGPL-3.0-or-later
// Lets code that has no access to the run, such as code that opens files in negotiation, end when its run is cancelled,
// and keep to the folder that the run is confined to (base/files/confinement.hpp).
#pragma once
#include "base/monitor.hpp"

namespace sino {

// While this object exists, its thread works for the run of a monitor.
class SINO_VISIBLE WorkingFor : NoCopy
{
public:
  explicit WorkingFor (const Monitor &monitor);
  ~WorkingFor ();

private:
  const Monitor *before;
};

// The monitor of the run that this thread works for, or null.
SINO_VISIBLE const Monitor *worked_for ();

// Throws Cancelled if that run was cancelled; called in waits that may take long.
SINO_VISIBLE void check_cancelled ();
// The same for loops; each call also shows the watchdog that the run makes progress.
SINO_VISIBLE void step_unless_cancelled ();

// A comparison for sorts that may take long: ends the sort if the run is cancelled.
template <class Less> auto cancellable (Less less)
{
  return [less, compared = size_t{0}] (const auto &a, const auto &b) mutable {
    constexpr size_t at_once = 1 << 16;
    if (++compared % at_once == 0)
      step_unless_cancelled ();
    return less (a, b);
  };
}

} // namespace sino
