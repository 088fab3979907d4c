// SPDX-License-Identifier: LGPL-3.0-or-later
// Requests to a storage that threads do for one worker, several at a time: docs/design/storage.md. Std primitives only,
// so that the thread sanitizer can judge it.
#pragma once
#include "base/counters.hpp"
#include "base/monitor.hpp"
#include "base/pace.hpp"
#include <algorithm>
#include <deque>
#include <functional>
#include <thread>

namespace sino {

class SINO_VISIBLE Requests
{
public:
  // Requests that are waited for together.
  class Batch
  {
  public:
    // Whether none is left, so that wait () does not wait.
    bool over () const { return left == 0; }

  private:
    friend Requests;
    std::atomic<int64_t> left{0};
  };

  static constexpr int largest = 64;                       // number that makes sense
  static constexpr size_t thread_bytes = size_t{64} << 10; // stack and memory of each
  // Default maximum of requests in flight: remote storage mostly waits, in-memory storage needs processors.
  static int usual (int threads) { return std::clamp (2 * threads, 4, 16); }

  // `number`: so many at a time; 0: as many as pay, at most `most`. `failed` gets what a request throws. `counters`
  // learns how many there were at most, where they were several.
  Requests (Monitor &monitor, Failed failed, Counters &counters, int number, int most);
  // After settle () nothing is left to wait for.
  ~Requests ();
  Requests (const Requests &) = delete;
  Requests &operator= (const Requests &) = delete;

  // Has a thread do `work`, which moves so many bytes. Waits while there are more than the threads will do soon.
  // `batch` lives until it was waited for. Throws Cancelled once the run was cancelled, as by a request that failed.
  void add (Batch &batch, int64_t bytes, std::function<void ()> work);

  // Waits for all of a batch. Throws the same.
  void wait (Batch &batch);

  // Waits for all that there is; what has not begun is dropped once the run was cancelled. Throws the same, when no
  // thread is at work any more: whatever happened, what they used can go.
  void settle ();

private:
  struct Request {
    Batch *batch;
    int64_t bytes;
    std::function<void ()> work;
  };

  Monitor &monitor;
  const Failed failed;
  Counters &counters;
  Bell ended;                      // a request
  std::atomic<int> waiting{0};     // those who wait for that
  std::atomic<int64_t> left{0};    // requests that have not ended
  std::atomic<int64_t> queued{0};  // requests that have not begun
  std::atomic<int64_t> allowed{1}; // requests at a time

  std::mutex mutex; // of what follows; the monitor's may be taken while it is held, but not the other way round
  std::condition_variable begins, quiet; // a request can begin; none is at work
  Pace pace;
  std::deque<Request> queue;
  std::vector<std::thread> threads;
  int running = 0, most_running = 0;
  bool closing = false;

  template <class Ready> void wait_until (Ready ready);
  void start_threads ();
  void work ();
  bool begin (Request &request);
  void end (const Request &request);
  void drop () noexcept;
};

} // namespace sino
