// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/pages-ahead.hpp"
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <sys/mman.h>

namespace sino {

std::span<std::byte> bring_some (std::span<std::byte> memory)
{
  constexpr size_t part = size_t{4} << 20; // a few milliseconds
  const auto some = memory.first (std::min (part, memory.size ()));
#ifdef MADV_POPULATE_WRITE // kernels before 5.14 refuse it: the pages then come at first use
  madvise (some.data (), some.size (), MADV_POPULATE_WRITE);
#endif
  return memory.subspan (some.size ());
}

class PagesAhead::Work : public std::enable_shared_from_this<Work>
{
public:
  Work (const Cpu &c, std::vector<std::span<std::byte>> m) : cpu (c), left (std::move (m)) {}

  void begin ()
  {
    const std::lock_guard guard (mutex);
    wait_for_thread ();
  }

  void stop ()
  {
    std::unique_lock lock (mutex);
    stopped = true;
    left.clear ();
    rested.wait (lock, [this] { return !at_work; });
  }

private:
  const Cpu &cpu;
  std::mutex mutex; // protects the members below
  std::condition_variable rested;
  std::vector<std::span<std::byte>> left;
  bool at_work = false, stopped = false;

  // With the lock held and memory left: `cpu` is there.
  void wait_for_thread ()
  {
    while (!left.empty () && left.back ().empty ())
      left.pop_back ();
    if (!left.empty ())
      cpu.when_idle ([self = shared_from_this ()] { self->bring (); });
  }

  void bring ()
  {
    std::unique_lock lock (mutex);
    if (left.empty ())
      return;
    const auto piece = left.back ();
    left.pop_back ();
    at_work = true;
    lock.unlock ();
    const auto rest = bring_some (piece);
    lock.lock ();
    if (!stopped)
      left.push_back (rest);
    at_work = false;
    rested.notify_all ();
    wait_for_thread ();
  }
};

PagesAhead::PagesAhead (const Cpu &cpu, std::vector<std::span<std::byte>> memory)
    : work (std::make_shared<Work> (cpu, std::move (memory)))
{
  work->begin ();
}

PagesAhead::~PagesAhead ()
{
  work->stop ();
}

} // namespace sino
