// SPDX-License-Identifier: LGPL-3.0-or-later
// The CPU threads that all workers of a run share.
#pragma once
#include "base/monitor.hpp"
#include "base/visibility.hpp"
#include <cstdint>
#include <functional>
#include <memory>

namespace sino {

constexpr int max_threads = 1024;
// Up to this number of threads, a worker has one block at a time: there is little to wait for, and several blocks would
// compete for the caches.
constexpr int few_threads = 2;

class SINO_VISIBLE Cpu
{
public:
  // `threads` 0: all CPUs that this process may use; otherwise 1 to max_threads.
  Cpu (int threads, const Monitor &monitor);
  ~Cpu ();

  int threads () const { return threads_; }

  // Divides [0, n) into parts of at least `grain` and calls body (begin, end) for each part, in up to threads ()
  // threads at once. Waits for all parts. Rethrows the first exception; between parts, a cancelled run throws
  // Cancelled. The division may differ between calls, so the results of a part must not depend on where it begins.
  void parallel (int64_t n, int64_t grain, const std::function<void (int64_t begin, int64_t end)> &body) const;

  // Lets a thread that has nothing else to do call body () once, and returns at once. There may never be such a thread,
  // or only after this object is gone: the body must own what it uses. It must not throw.
  void when_idle (std::function<void ()> body) const;

private:
  struct Arena;
  int threads_;
  const Monitor &monitor;
  std::unique_ptr<Arena> arena;
};

// CPUs that this process may use (affinity and cgroup quota honoured).
SINO_VISIBLE int usable_cpus ();

} // namespace sino
