// SPDX-License-Identifier: LGPL-3.0-or-later
// The lock of one run. Every channel and pool of a run waits here, so cancelling ends every wait at once and
// no lock order exists that could be got wrong. Blocks are megabytes: the lock is taken a few thousand times a
// second at most. Std primitives only, so that the thread sanitizer can judge it.
#pragma once
#include "base/error.hpp"
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

namespace sino {

class Confinement;

// Tells a run what failed in a thread that works for a worker, under the name of its node, and cancels the run at once:
// the worker's own thread may wait for something that does not come any more. Any thread.
using Failed = std::function<void (std::exception_ptr)>;

// Something that changes with the lock held, such as a queue, and the threads that wait for it.
struct Bell {
  std::condition_variable rung;
  int sleepers = 0;
};

class SINO_VISIBLE Monitor
{
public:
  using Lock = std::unique_lock<std::mutex>;

  // The folder that the run is kept in, if it is; set before other threads work for it (base/files/confinement.hpp).
  std::shared_ptr<const Confinement> confinement;

  Lock lock () { return Lock (mutex); }

  // Waits until `ready ()`, called with the lock held, which may come true when the bell is rung; throws Cancelled once
  // the run was cancelled.
  template <class Ready> void wait (Lock &held, Bell &bell, Ready ready)
  {
    if (!cancelled () && !ready ())
      sleep (held, bell, [&] { return cancelled () || ready (); });
    check ();
  }

  // Waits for `ready ()` for some time, cancelled or not; whether it came true.
  template <class Time, class Ready> bool wait_for (Lock &held, Time most, Ready ready)
  {
    return condition.wait_for (held, most, ready);
  }

  // Is called, with the lock held, after any change that a wait could be for: of wait () or of wait_for ().
  void changed (Bell &bell) noexcept;
  void changed () noexcept { condition.notify_all (); }

  // Says that the run comes on; so does changed () of a bell.
  void beat () const noexcept { beats_.fetch_add (1, std::memory_order_relaxed); }
  int64_t beats () const noexcept { return beats_.load (std::memory_order_relaxed); }
  // Calls check () in a loop, and says that the run comes on.
  void step () const
  {
    beat ();
    check ();
  }

  void cancel () noexcept;

  bool cancelled () const noexcept { return flag.load (std::memory_order_relaxed); }

  // Throws Cancelled once the run was cancelled; loops that take long call it.
  void check () const
  {
    if (cancelled ())
      throw Cancelled ();
  }

private:
  std::mutex mutex;
  std::condition_variable condition;
  std::atomic<bool> flag{false};
  mutable std::atomic<int64_t> beats_{0};
  std::set<Bell *> waited_for; // by the threads in wait ()

  template <class Ready> void sleep (Lock &held, Bell &bell, Ready ready)
  {
    if (bell.sleepers++ == 0)
      waited_for.insert (&bell);
    bell.rung.wait (held, ready);
    if (--bell.sleepers == 0)
      waited_for.erase (&bell);
  }
};

} // namespace sino
