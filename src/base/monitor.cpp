// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/monitor.hpp"

namespace sino {

void Monitor::changed (Bell &bell) noexcept
{
  beat ();
  if (bell.sleepers > 0)
    bell.rung.notify_all ();
}

void Monitor::cancel () noexcept
{
  {
    const std::lock_guard guard (mutex);
    flag.store (true, std::memory_order_relaxed);
    for (auto *bell : waited_for)
      bell->rung.notify_all ();
  }
  condition.notify_all ();
}

} // namespace sino
