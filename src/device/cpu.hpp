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
  Cpu (const Cpu &) = delete;
  Cpu &operator= (const Cpu &) = delete;

  int threads () const { return threads_; }

  // Calls body (begin, end) for parts of [0, n) of at least `grain`, from up to threads () threads at once, and waits.
  // Rethrows the first exception; a cancelled run throws Cancelled between parts. The division of [0, n) is not fixed,
  // so the results of a part must not depend on where it begins.
  void parallel (int64_t n, int64_t grain, const std::function<void (int64_t begin, int64_t end)> &body) const;

private:
  struct Arena;
  int threads_;
  const Monitor &monitor;
  std::unique_ptr<Arena> arena;
};

// CPUs that this process may use (affinity and cgroup quota honoured).
SINO_VISIBLE int usable_cpus ();

} // namespace sino
