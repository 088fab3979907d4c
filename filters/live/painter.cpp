// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/painter.hpp"
#include "base/threads.hpp"

namespace sino::live {

Painter::Painter (Maker &m, Board &b, Failed f) : maker (m), board (b), failed (std::move (f))
{
  thread = start_helper ([this] { work (); }, failed);
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
    bool more = true;
    while (!stopped && more) {
      more = maker.step ();
      const std::lock_guard held (mutex);
      if (!more)
        met = maker.serial ();
      changed.notify_all ();
    }
    board.wait (maker.serial (), [this] { return stopped || come > maker.caught_up (); });
  }
}

void Painter::tell (int64_t projections)
{
  come = projections;
  board.wake ();
}

template <class Ready> void Painter::wait (const Monitor &monitor, Ready ready)
{
  constexpr auto look = std::chrono::milliseconds (20); // whether the run was cancelled
  std::unique_lock held (mutex);
  while (!ready ()) {
    changed.wait_for (held, look);
    monitor.step ();
  }
}

void Painter::wait_for (int64_t projections, const Monitor &monitor)
{
  wait (monitor, [&] { return maker.caught_up () >= projections; });
}

void Painter::settle (const Monitor &monitor)
{
  const auto wishes = board.wishes ();
  maker.end_with (wishes);
  board.wake ();
  wait (monitor, [this, wanted = wishes.serial] { return met >= wanted; });
}

} // namespace sino::live
