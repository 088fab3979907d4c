// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/cpu.hpp"
#include "base/cancellation.hpp"
#include "base/cgroup.hpp"
#include "base/threads.hpp"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <sched.h>

// oneTBB is not built for the thread sanitizer, which would report its internals: loops run serially there.
#if defined(__SANITIZE_THREAD__)
#define SINO_SERIAL 1
#else
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace sino {

int usable_cpus ()
{
  cpu_set_t set;
  int n = sched_getaffinity (0, sizeof set, &set) == 0 ? CPU_COUNT (&set) : 1;
  if (const double quota = std::ceil (cgroup_cpus ()); quota < n)
    n = static_cast<int> (quota);
  return std::max (n, 1);
}

// Runs the loop in the calling thread, in a few large parts.
static void in_turn (int64_t n, int64_t grain, const Monitor &monitor,
                     const std::function<void (int64_t, int64_t)> &body)
{
  const auto part = std::max (grain, (n + 15) / 16);
  for (int64_t i = 0; i < n; i += part) {
    monitor.step ();
    body (i, std::min (i + part, n));
  }
}

#if SINO_SERIAL
struct Cpu::Arena {
  explicit Arena (int) {}
};
#else
struct Cpu::Arena {
  tbb::task_arena idle;                    // oneTBB gives it only threads that no other arena wants
  std::optional<tbb::global_control> more; // allows more threads than processors, which oneTBB does not start by itself
  tbb::task_arena arena;
  std::once_flag started;
  std::recursive_mutex one_at_a_time; // serialises loops if there is one thread: otherwise an arena of one thread would
                                      // admit a second one

  // With many threads, all are oneTBB's: the thread that starts a loop mostly waits meanwhile (device/work.hpp).
  explicit Arena (int threads)
      : idle (std::max (threads - 1, 1), 0, tbb::task_arena::priority::low),
        arena (threads, threads > few_threads ? 0 : 1)
  {
    const auto parallelism = workers (threads) + 1;
    if (parallelism > tbb::info::default_concurrency ())
      more.emplace (tbb::global_control::max_allowed_parallelism, static_cast<size_t> (parallelism));
  }

  static int workers (int threads) { return threads > few_threads ? threads : threads - 1; }

  // oneTBB ends the process if it cannot start a thread. So this first checks that enough threads can be started, and
  // then makes oneTBB start them. If it starts fewer than requested, only one iteration waits for the missing ones, not
  // every iteration.
  void start (int threads)
  {
    if (threads == 1)
      return;
    require_threads (workers (threads));
    struct Muster {
      std::atomic<int> arrived = 0, gone = 0;
      std::atomic<bool> over = false;
    };
    const auto muster = std::make_shared<Muster> ();
    const auto arrive = [muster, threads] {
      muster->arrived++;
      poll_until ([&] { return muster->over || muster->arrived >= threads; });
      muster->over = true;
      muster->gone++;
    };
    if (workers (threads) == threads) {
      for (int i = 0; i < threads; i++)
        arena.enqueue (arrive);
      poll_until ([&] { return muster->gone >= threads; });
    } else
      arena.execute ([&] {
        tbb::parallel_for (
            0, threads, [&] (int) { arrive (); }, tbb::static_partitioner ());
      });
  }
};
#endif

Cpu::Cpu (int threads, const Monitor &m)
    : threads_ (threads > 0 ? threads : usable_cpus ()), monitor (m), arena (std::make_unique<Arena> (threads_))
{
}

Cpu::~Cpu () = default;

void Cpu::parallel (int64_t n, int64_t grain, const std::function<void (int64_t, int64_t)> &body) const
{
  grain = std::max<int64_t> (grain, 1);
#if SINO_SERIAL
  in_turn (n, grain, monitor, body);
#else
  if (threads_ == 1) {
    const std::lock_guard guard (arena->one_at_a_time);
    return in_turn (n, grain, monitor, body);
  }
  std::call_once (arena->started, [this] { arena->start (threads_); });
  arena->arena.execute ([&] {
    tbb::parallel_for (tbb::blocked_range<int64_t> (0, n, static_cast<size_t> (grain)), [&] (const auto &part) {
      const WorkingFor scope (monitor);
      monitor.step ();
      body (part.begin (), part.end ());
    });
  });
  monitor.step ();
#endif
}

void Cpu::when_idle ([[maybe_unused]] std::function<void ()> body) const
{
#if !SINO_SERIAL
  if (threads_ > 1)
    arena->idle.enqueue (std::move (body));
#endif
}

} // namespace sino
