// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/quiet.hpp"
#include <algorithm>

namespace sino {

bool Quiet::too_long ()
{
  const auto now = Clock::now ();
  const auto passed = std::chrono::duration<double> (now - looked).count ();
  const auto now_beats = context.beats ();
  quiet = now_beats == beats && !context.gate.closed () ? quiet + std::min (passed, 1.0) : 0;
  beats = now_beats;
  looked = now;
  const double most = context.watchdog;
  return most > 0 && quiet >= most && !context.monitor.cancelled ();
}

} // namespace sino
