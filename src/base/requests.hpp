// SPDX-License-Identifier: LGPL-3.0-or-later
// Requests to a storage, done by threads for one worker, several at a time: docs/design/storage.md. Uses only std
// primitives, so that the thread sanitizer can check it.
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
    // Whether no request is left, so that wait () returns at once.
    bool over () const { return left == 0; }

  private:
    friend Requests;
    std::atomic<int64_t> left{0};
  };

  static constexpr int largest = 64;                       // largest useful number
  static constexpr size_t thread_bytes = size_t{64} << 10; // stack and memory of each
  // Default maximum of requests in flight: remote storage mostly waits, in-memory storage needs processors.
  static int usual (int threads) { return std::clamp (2 * threads, 4, 16); }

  // `number`: requests at a time; 0: raised as long as the rate increases, up to `most`. `failed` gets exceptions of
  // requests. `counters` gets the largest number of simultaneous requests, if above one.
  Requests (Monitor &monitor, Failed failed, Counters &counters, int number, int most);
  // After settle () it does not wait.
  ~Requests ();

  // Queues `work`, which moves `bytes` bytes, for a thread. Waits while the queue is full. `batch` must exist until it
  // was waited for. Throws Cancelled if the run was cancelled, for example by a failed request.
  void add (Batch &batch, int64_t bytes, std::function<void ()> work);

  // Waits for all requests of a batch. Throws Cancelled.
  void wait (Batch &batch);

  // Waits for all requests; if the run was cancelled, those that have not begun are dropped. It throws Cancelled only
  // when no thread works any more, so what the requests use can be freed in any case.
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
  Bell ended;                      // a request has ended
  std::atomic<int> waiting{0};     // threads that wait for `ended`
  std::atomic<int64_t> left{0};    // requests that have not ended
  std::atomic<int64_t> queued{0};  // requests that have not begun
  std::atomic<int64_t> allowed{1}; // requests at a time

  // Protects the members below. A thread may lock the monitor while it holds this lock, but not the other way round.
  std::mutex mutex;
  std::condition_variable begins, quiet; // a request can begin; no thread works
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
