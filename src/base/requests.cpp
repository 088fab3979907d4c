// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/requests.hpp"
#include "base/cancellation.hpp"
#include "base/pointers.hpp"
#include "base/threads.hpp"
#include <algorithm>
#include <utility>

namespace sino {

static Pace::Time now ()
{
  return std::chrono::steady_clock::now ();
}

Requests::Requests (Monitor &m, Failed f, Counters &c, int number, int most)
    : monitor (m), failed (std::move (f)), counters (c), pace (number > 0 ? Pace::fixed (number) : Pace (most))
{
  allowed = pace.now ();
}

Requests::~Requests ()
{
  drop ();
  {
    const std::lock_guard guard (mutex);
    closing = true;
  }
  begins.notify_all ();
  for (auto &thread : threads)
    thread.join ();
}

// --- the worker ---

void Requests::add (Batch &batch, int64_t bytes, std::function<void ()> work)
{
  wait_until ([this] { return queued < 2 * allowed; }); // keeps a request ready for a thread that has ended one
  {
    const std::lock_guard guard (mutex);
    start_threads ();
    queue.push_back ({&batch, bytes, std::move (work)});
    batch.left++;
    left++;
    queued++;
  }
  begins.notify_one ();
}

// Starts threads for one more request, up to the allowed number. If the system has no more threads, the present ones do
// the work.
void Requests::start_threads ()
{
  const auto wanted = std::min<int64_t> (pace.now (), running + std::ssize (queue) + 1);
  try {
    while (std::ssize (threads) < wanted)
      add_thread (threads, [this] { work (); });
  } catch (const Error &) {
    if (threads.empty ())
      throw;
    pace = Pace::fixed (static_cast<int> (threads.size ()));
    allowed = pace.now ();
  }
}

void Requests::wait (Batch &batch)
{
  wait_until ([&batch] { return batch.left == 0; });
}

// `ready` reads only atomics, so no other lock than the monitor's is needed here.
template <class Ready> void Requests::wait_until (Ready ready)
{
  if (!ready ()) {
    auto held = monitor.lock ();
    waiting++;
    const AtEnd awake ([this] { waiting--; });
    monitor.wait (held, ended, ready);
  }
  monitor.check ();
}

void Requests::settle ()
{
  try {
    wait_until ([this] { return left == 0; });
  } catch (...) { // settle () throws it below
  }
  if (monitor.cancelled ())
    drop ();
  {
    std::unique_lock held (mutex);
    quiet.wait (held, [this] { return running == 0; });
    if (most_running > 1)
      counters.raise ("requests", most_running);
  }
  monitor.check ();
}

// Buffers of requests may return to a pool, so requests are destroyed outside the lock. This is done one by one,
// because swapping with an empty queue would allocate memory, and there may be none at the end of a run.
void Requests::drop () noexcept
{
  for (bool more = true; more;) {
    Request dropped{};
    const std::lock_guard guard (mutex);
    more = !queue.empty ();
    if (!more)
      continue;
    dropped = std::move (queue.front ());
    queue.pop_front ();
    dropped.batch->left--;
    left--;
    queued--;
  }
}

// --- its threads ---

void Requests::work ()
{
  const WorkingFor scope (monitor);
  for (Request request; begin (request);) {
    try {
      if (!monitor.cancelled ())
        request.work ();
    } catch (...) {
      failed (std::current_exception ());
    }
    request.work = {}; // frees what the function holds
    end (request);
  }
}

bool Requests::begin (Request &request)
{
  std::unique_lock held (mutex);
  begins.wait (held, [this] { return closing || (!queue.empty () && running < pace.now ()); });
  if (closing)
    return false;
  request = std::move (queue.front ());
  queue.pop_front ();
  queued--;
  most_running = std::max (most_running, ++running);
  if (queue.empty ())
    pace.slack (now ());
  else if (running == pace.now ())
    pace.full (now ());
  return true;
}

void Requests::end (const Request &request)
{
  monitor.beat ();
  {
    const std::lock_guard guard (mutex);
    const int before = pace.now ();
    pace.ended (request.bytes, now ());
    allowed = pace.now ();
    if (pace.now () > before)
      begins.notify_all (); // this thread takes the next request itself
    request.batch->left--;
    left--;
    if (--running == 0)
      quiet.notify_all ();
  }
  if (waiting > 0) {
    const auto held = monitor.lock ();
    monitor.changed (ended);
  }
}

} // namespace sino
