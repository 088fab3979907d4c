// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/painter.hpp"
#include "base/threads.hpp"

namespace sino::live {

Painter::Painter (Maker &m, Board &b, Failed f) : maker (m), board (b), failed (std::move (f))
{
  thread = start_thread ([this] {
    try {
      work ();
    } catch (const Cancelled &) {
    } catch (...) {
      failed (std::current_exception ());
    }
  });
}

Painter::~Painter ()
{
  stopped = true;
  board.wake ();
  thread.join ();
}

void Painter::work ()
{
  while (!stopped) {
    while (!stopped && maker.step ()) {
    }
    const auto serial = maker.serial ();
    {
      const std::lock_guard held (mutex);
      met = serial;
    }
    changed.notify_all ();
    board.wait (serial, [this] { return stopped.load (); });
  }
}

void Painter::settle (const Monitor &monitor)
{
  const auto wanted = board.wishes ().serial;
  std::unique_lock held (mutex);
  while (met < wanted) {
    changed.wait_for (held, std::chrono::milliseconds (20));
    monitor.step ();
  }
}

} // namespace sino::live
