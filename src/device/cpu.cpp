// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/cpu.hpp"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sched.h>
#include <string>

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
  std::ifstream quota ("/sys/fs/cgroup/cpu.max");
  std::string limit;
  double period = 0;
  if (quota >> limit >> period && limit != "max" && period > 0)
    n = std::min (n, std::max (1, static_cast<int> (std::ceil (std::stod (limit) / period))));
  return std::max (n, 1);
}

#if SINO_SERIAL
struct Cpu::Arena {
  explicit Arena (int) {}
};
#else
struct Cpu::Arena {
  std::optional<tbb::global_control> more; // than there are processors, which oneTBB does not start by itself
  tbb::task_arena arena;

  explicit Arena (int threads) : arena (threads, 1)
  {
    if (threads > tbb::info::default_concurrency ())
      more.emplace (tbb::global_control::max_allowed_parallelism, static_cast<size_t> (threads));
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
  for (int64_t i = 0; i < n; i += grain) {
    monitor.check ();
    body (i, std::min (i + grain, n));
  }
#else
  arena->arena.execute ([&] {
    tbb::parallel_for (tbb::blocked_range<int64_t> (0, n, static_cast<size_t> (grain)), [&] (const auto &part) {
      monitor.check ();
      body (part.begin (), part.end ());
    });
  });
  monitor.check ();
#endif
}

} // namespace sino
