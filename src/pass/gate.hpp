// SPDX-License-Identifier: LGPL-3.0-or-later
// Holds the sources of a run while somebody has paused it; what they have read before still goes through the graph.
#pragma once
#include "base/monitor.hpp"

namespace sino {

class Gate
{
public:
  explicit Gate (Monitor &m) : monitor (m) {}

  // Any thread.
  void close () { shut = true; }
  void open ()
  {
    const auto lock = monitor.lock ();
    shut = false;
    monitor.changed (opened);
  }
  bool closed () const { return shut; }

  // Waits while the gate is closed. Throws Cancelled.
  void pass ()
  {
    if (!shut)
      return;
    auto lock = monitor.lock ();
    monitor.wait (lock, opened, [this] { return !shut; });
  }

private:
  Monitor &monitor;
  Bell opened;
  std::atomic<bool> shut{false};
};

} // namespace sino
