// SPDX-License-Identifier: LGPL-3.0-or-later
// How code that knows no run, such as what opens files in negotiation, ends when the run that it works for is
// cancelled, and keeps to the folder that this run is confined to (base/files/confinement.hpp).
#pragma once
#include "base/monitor.hpp"

namespace sino {

// While it lives, this thread works for the run of a monitor.
class SINO_VISIBLE WorkingFor
{
public:
  explicit WorkingFor (const Monitor &monitor);
  ~WorkingFor ();
  WorkingFor (const WorkingFor &) = delete;
  WorkingFor &operator= (const WorkingFor &) = delete;

private:
  const Monitor *before;
};

// The monitor of the run that this thread works for; null where it works for none.
SINO_VISIBLE const Monitor *worked_for ();

// Throws Cancelled once the run that this thread works for was cancelled; waits that may take long call it.
SINO_VISIBLE void check_cancelled ();
// The same in a loop, each turn of which shows the watchdog that the run comes on.
SINO_VISIBLE void step_unless_cancelled ();

// An order for sorts that may take long, which end when the run is cancelled.
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
