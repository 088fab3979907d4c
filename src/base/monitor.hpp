// SPDX-License-Identifier: LGPL-3.0-or-later
// The lock of one run. Every channel and pool of a run waits here, so cancelling ends every wait at once and
// no lock order exists that could be got wrong. Blocks are megabytes: the lock is taken a few thousand times a
// second at most. Std primitives only, so that the thread sanitizer can judge it.
#pragma once
#include "base/error.hpp"
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace sino {

class Monitor
{
public:
  using Lock = std::unique_lock<std::mutex>;

  Lock lock () { return Lock (mutex); }

  // Waits until `ready ()`, called with the lock held; throws Cancelled once the run was cancelled.
  template <class Ready> void wait (Lock &held, Ready ready)
  {
    condition.wait (held, [&] { return cancelled () || ready (); });
    check ();
  }

  // Waits for `ready ()` for some time, cancelled or not; whether it came true.
  template <class Time, class Ready> bool wait_for (Lock &held, Time most, Ready ready)
  {
    return condition.wait_for (held, most, ready);
  }

  // To be called after any change that a wait could be for.
  void changed () noexcept { condition.notify_all (); }

  void cancel () noexcept
  {
    {
      const std::lock_guard guard (mutex);
      flag.store (true, std::memory_order_relaxed);
    }
    condition.notify_all ();
  }

  bool cancelled () const noexcept { return flag.load (std::memory_order_relaxed); }

  // For loops that take long: throws Cancelled once the run was cancelled.
  void check () const
  {
    if (cancelled ())
      throw Cancelled ();
  }

private:
  std::mutex mutex;
  std::condition_variable condition;
  std::atomic<bool> flag{false};
};

} // namespace sino
