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

// Function that reports an error in a helper thread of a worker to the run, with the name of the node, and cancels the
// run at once, because the worker's own thread may wait for something that no longer comes. Any thread.
using Failed = std::function<void (std::exception_ptr)>;

// A condition that changes with the lock held, such as the state of a queue, and the threads that wait for it.
struct Bell {
  std::condition_variable rung;
  int sleepers = 0;
};

class SINO_VISIBLE Monitor
{
public:
  using Lock = std::unique_lock<std::mutex>;

  // The folder that the run is confined to, if any; set before other threads work for it (base/files/confinement.hpp).
  std::shared_ptr<const Confinement> confinement;
  // Whether files that the run reads may grow while it reads them.
  mutable std::atomic<bool> growing = false;

  Lock lock () { return Lock (mutex); }

  // Waits until `ready ()` is true. `ready` is called with the lock held, each time the bell is rung. Throws Cancelled
  // if the run was cancelled.
  template <class Ready> void wait (Lock &held, Bell &bell, Ready ready)
  {
    if (!cancelled () && !ready ())
      sleep (held, bell, [&] { return cancelled () || ready (); });
    check ();
  }

  // Waits for `ready ()` for a limited time, even if cancelled; returns whether it became true.
  template <class Time, class Ready> bool wait_for (Lock &held, Time most, Ready ready)
  {
    return condition.wait_for (held, most, ready);
  }

  // Wakes the waiting threads. To be called, with the lock held, after each change that wait () or wait_for () may wait
  // for.
  void changed (Bell &bell) noexcept;
  void changed () noexcept { condition.notify_all (); }

  // Shows that the run makes progress; changed () of a bell does so, too.
  void beat () const noexcept { beats_.fetch_add (1, std::memory_order_relaxed); }
  int64_t beats () const noexcept { return beats_.load (std::memory_order_relaxed); }
  // Calls check () in a loop and shows progress.
  void step () const
  {
    beat ();
    check ();
  }

  // Counts projections that have come from outside the run.
  void frames_came (int64_t count) const noexcept { frames_.fetch_add (count, std::memory_order_relaxed); }
  int64_t frames () const noexcept { return frames_.load (std::memory_order_relaxed); }

  void cancel () noexcept;

  bool cancelled () const noexcept { return flag.load (std::memory_order_relaxed); }

  // Throws Cancelled if the run was cancelled; called in loops that take long.
  void check () const
  {
    if (cancelled ())
      throw Cancelled ();
  }

private:
  std::mutex mutex;
  std::condition_variable condition;
  std::atomic<bool> flag{false};
  mutable std::atomic<int64_t> beats_{0}, frames_{0};
  std::set<Bell *> waited_for; // bells that threads in wait () wait for

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
