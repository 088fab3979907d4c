// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/work.hpp"
#include "stream/host-buffer.hpp"
#include <algorithm>
#include <atomic>
#include <condition_variable>

// The thread sanitizer does not know oneTBB: see cpu.cpp.
#if defined(__SANITIZE_THREAD__)
#define SINO_SERIAL 1
#else
#include <tbb/task_arena.h>
#endif

namespace sino {

class IdleLoop::State : public std::enable_shared_from_this<State>
{
public:
  State (const Cpu &c, std::function<bool ()> s) : cpu (c), step (std::move (s)) {}

  void wake (int64_t wanted)
  {
    const std::lock_guard guard (mutex);
    wakes++;
    for (; threads < std::min<int64_t> (wanted, cpu.threads ()); threads++)
      wait_for_thread ();
  }

  void stop ()
  {
    std::unique_lock lock (mutex);
    stopped = true;
    rested.wait (lock, [this] { return at_work == 0; });
  }

private:
  const Cpu &cpu;
  const std::function<bool ()> step;
  std::mutex mutex; // protects the members below
  std::condition_variable rested;
  int64_t threads = 0, at_work = 0; // threads that are waited for or at work; that are in step ()
  int64_t wakes = 0;
  bool stopped = false;

  // With the lock held and not stopped, so that `cpu` is there.
  void wait_for_thread ()
  {
    cpu.when_idle ([self = shared_from_this ()] { self->turn (); });
  }

  void turn ()
  {
    std::unique_lock lock (mutex);
    bool more = !stopped;
    if (more) {
      const auto before = wakes;
      at_work++;
      lock.unlock ();
      const bool found = step ();
      lock.lock ();
      at_work--;
      rested.notify_all ();
      more = !stopped && (found || wakes > before);
    }
    if (more)
      wait_for_thread ();
    else
      threads--;
  }
};

IdleLoop::IdleLoop (const Cpu &cpu, std::function<bool ()> step)
    : state (std::make_shared<State> (cpu, std::move (step)))
{
}

IdleLoop::~IdleLoop ()
{
  state->stop ();
}

void IdleLoop::wake (int64_t threads)
{
  state->wake (threads);
}

#if SINO_SERIAL
struct Underway::Threads {
};
class Underway::Work
{
public:
  void wait () {}
};
#else

struct Underway::Threads {
  tbb::task_arena arena{tbb::task_arena::attach ()};
};

namespace {

// Counts as a part, so that a loop does not end before all its parts have been handed out.
constexpr int64_t handing_out = 1;

// A loop whose parts threads take in turn: large parts first, small ones at the end, so that no thread waits long for
// others.
class Shared
{
public:
  Shared (Loop l, int t) : loop (std::move (l)), threads (t), left (loop.n + handing_out) {}

  // Number of threads that find work.
  int64_t parts () const { return std::min<int64_t> (threads, divide_up (loop.n, least ())); }
  bool more () const { return next < loop.n; }

  // The next part; empty if all are taken.
  std::pair<int64_t, int64_t> take ()
  {
    int64_t begin = next, end = begin;
    do {
      if (begin >= loop.n)
        return {};
      end = std::min (loop.n, begin + std::max (least (), (loop.n - begin) / (4 * threads)));
    } while (!next.compare_exchange_weak (begin, end));
    return {begin, end};
  }
  void run (int64_t begin, int64_t end) const { loop.body (begin, end); }
  // Whether that was the last part.
  bool done (int64_t n) { return left.fetch_sub (n) == n; }
  void forget () { loop.body = {}; }

private:
  Loop loop;
  const int threads;
  std::atomic<int64_t> next = 0, left;

  int64_t least () const { return std::max<int64_t> (loop.grain, 1); }
};

} // namespace

// A sequence of loops. The thread that finishes the last part of a loop begins the next loop, so no thread waits
// between loops. Each task of oneTBB does one part. Enqueued tasks run in turn, so all sequences of a run make
// progress, for example blocks of the next work item while this one is still computed. Tasks hold a reference to this
// object.
class Underway::Work : public std::enable_shared_from_this<Work>
{
public:
  Work (Threads &t, const Monitor &m, const Failed &f, int n, std::vector<Loop> list)
      : threads (t), monitor (m), failed (f)
  {
    for (auto &loop : list)
      if (loop.n > 0)
        loops.emplace_back (std::move (loop), n);
  }

  void begin (size_t i)
  {
    if (i == loops.size () || monitor.cancelled ())
      return end ();
    for (auto n = loops[i].parts (); n > 0; n--)
      enqueue (i);
    if (loops[i].done (handing_out))
      begin (i + 1);
  }

  void wait ()
  {
    std::unique_lock lock (mutex);
    ended.wait (lock, [this] { return over; });
    monitor.check ();
  }

private:
  Threads &threads; // like `failed`, not used after the last loop
  const Monitor &monitor;
  const Failed &failed;
  std::deque<Shared> loops;
  std::mutex mutex; // protects the members below
  std::condition_variable ended;
  bool over = false;

  void enqueue (size_t i)
  {
    threads.arena.enqueue ([self = shared_from_this (), i] { self->part (i); });
  }

  void part (size_t i)
  {
    auto &loop = loops[i];
    const auto [from, to] = loop.take ();
    if (from == to)
      return;
    try {
      if (!monitor.cancelled ())
        loop.run (from, to);
    } catch (...) {
      failed (std::current_exception ());
    }
    if (loop.more ())
      enqueue (i);
    if (loop.done (to - from))
      begin (i + 1);
  }

  void end ()
  {
    for (auto &loop : loops)
      loop.forget ();
    const std::lock_guard guard (mutex);
    over = true;
    ended.notify_all ();
  }
};
#endif

Underway::Underway (const Cpu &c, const Monitor &m, Failed f, int n)
    : cpu (c), monitor (m), failed (std::move (f)), most (static_cast<size_t> (n))
{
}

Underway::~Underway ()
{
  while (!works.empty ())
    try {
      wait ();
    } catch (...) { // the run was ended elsewhere, for a reason that is reported there
      works.pop_front ();
    }
}

void Underway::start (std::vector<Loop> loops, [[maybe_unused]] std::span<const Block> filled)
{
#if !SINO_SERIAL
  if (most > 1 && cpu.threads () > 1) {
    if (!threads)
      cpu.parallel (1, 1, [this] (int64_t, int64_t) { threads = std::make_unique<Threads> (); });
    const auto work = std::make_shared<Work> (*threads, monitor, failed, cpu.threads (), std::move (loops));
    works.push_back (work);
    work->begin (0);
    bool known = true;
    for (const auto &block : filled)
      if (auto *buffer = dynamic_cast<HostBuffer *> (block.buffer ().get ()))
        buffer->after ([work] { work->wait (); });
      else
        known = false;
    return wait_until (known ? most - 1 : 0);
  }
#endif
  for (const auto &loop : loops)
    cpu.parallel (loop.n, loop.grain, loop.body);
}

void Underway::wait_until (size_t left)
{
  for (; works.size () > left; works.pop_front ())
    works.front ()->wait ();
}

} // namespace sino
