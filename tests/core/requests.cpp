// SPDX-License-Identifier: LGPL-3.0-or-later
// Requests that threads do for a worker: how many at a time, and how they end.
#include "base/requests.hpp"
#include "base/threads.hpp"
#include "tests/support/expect.hpp"
#include <cmath>
#include <filesystem>
#include <latch>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

namespace sino::test::requests_test {

namespace {

using namespace std::chrono_literals;

// What a pace settles at where n requests at a time give rate (n) bytes per second: a clock of its own tells the time.
template <class Rate> int settled (int most, Rate rate, int requests = 4000)
{
  Pace pace (most);
  Pace::Time now{};
  std::map<int, int> kept;
  for (int i = 0; i < requests; i++) {
    pace.full (now);
    constexpr double bytes = 1e6;
    now += std::chrono::nanoseconds (std::llround (1e9 * bytes / rate (pace.now ())));
    kept[pace.now ()]++;
    pace.ended (static_cast<int64_t> (bytes), now);
  }
  return std::max_element (kept.begin (), kept.end (), [] (auto &a, auto &b) { return a.second < b.second; })->first;
}

void pace ()
{
  g_assert_cmpint (settled (16, [] (int n) { return 1e9 * n; }), ==, 16);
  g_assert_cmpint (settled (12, [] (int n) { return 1e9 * n; }), ==, 12);
  g_assert_cmpint (settled (16, [] (int n) { return 1e9 * std::min (n, 4); }), ==, 4);
  g_assert_cmpint (settled (16, [] (int n) { return 1e9 / (1 + 0.1 * n); }), ==, 1); // a lock that all wait for
  g_assert_cmpint (settled (16, [] (int n) { return 1e9 * n / (1 + 0.02 * n * n); }), ==, 4); // 8 give 16 % more
  g_assert_cmpint (settled (1, [] (int n) { return 1e9 * n; }), ==, 1);
  // A storage that becomes slower with many is left at many no longer than it takes to notice.
  int before = 3000;
  const auto worse = [&] (int n) { return before-- > 0 ? 1e9 * n : 4e9 / n; };
  g_assert_cmpint (settled (16, worse, 20000), ==, 1);

  // Time without enough to do says nothing.
  Pace idle (8);
  Pace::Time now{};
  for (int i = 0; i < 1000; i++) {
    idle.ended (1 << 20, now += 10ms);
    idle.slack (now);
  }
  g_assert_cmpint (idle.now (), ==, 1);
  auto fixed = Pace::fixed (5);
  for (int i = 0; i < 1000; i++) {
    fixed.full (now);
    fixed.ended (1 << 20, now += 10ms);
  }
  g_assert_cmpint (fixed.now (), ==, 5);
}

void none_fails (const std::exception_ptr &)
{
  g_assert_not_reached ();
}

void at_once ()
{
  Monitor monitor;
  Counters counters;
  Requests requests (monitor, none_fails, counters, 3, 8);
  Requests::Batch batch;
  std::atomic<int> now = 0, most = 0;
  std::latch three (3); // none of which ends before all have begun
  std::set<std::thread::id> threads;
  std::mutex mutex;
  for (int i = 0; i < 60; i++)
    requests.add (batch, 1, [&, i] {
      const int here = ++now;
      for (int seen = most; seen < here && !most.compare_exchange_weak (seen, here);)
        ;
      if (i < 3)
        three.arrive_and_wait ();
      {
        const std::lock_guard guard (mutex);
        threads.insert (std::this_thread::get_id ());
      }
      now--;
    });
  requests.wait (batch);
  g_assert_cmpint (most, ==, 3);
  g_assert_cmpuint (threads.size (), ==, 3);
  requests.settle ();
  requests.settle ();
  g_assert_cmpint (counters.read ().at ("requests"), ==, 3);
}

// The counter has the requests of the worker that had most.
void most_of_all ()
{
  Monitor monitor;
  Counters counters;
  for (const int number : {2, 3, 2}) {
    Requests requests (monitor, none_fails, counters, number, 4);
    Requests::Batch batch;
    std::latch all (number);
    for (int i = 0; i < number; i++)
      requests.add (batch, 1, [&all] { all.arrive_and_wait (); });
    requests.settle ();
  }
  g_assert_cmpint (counters.read ().at ("requests"), ==, 3);
}

// Each batch is waited for by itself, and requests begin in their order.
void batches ()
{
  Monitor monitor;
  Counters counters;
  Requests requests (monitor, none_fails, counters, 1, 1);
  Requests::Batch first, second;
  std::latch go (1);
  std::vector<int> order;
  requests.add (first, 1, [&] { order.push_back (1); });
  requests.add (second, 1, [&] {
    go.wait ();
    order.push_back (2);
  });
  requests.wait (first);
  go.count_down ();
  requests.wait (second);
  requests.wait (second);
  g_assert_true ((order == std::vector<int>{1, 2}));
  requests.settle ();
  g_assert_true (counters.read ().empty ()); // nothing to tell of one at a time
}

// Where the system has one thread left, that does all. Such a limit does not hold for root.
void few_threads ()
{
  Monitor monitor;
  Counters counters;
  Requests requests (monitor, none_fails, counters, 4, 4);
  Requests::Batch batch;
  std::atomic<int> done = 0;
  const auto here = std::distance (std::filesystem::directory_iterator ("/proc/self/task"), {});
  constexpr uid_t stranger = 61235; // without other processes
  if (setresuid (stranger, stranger, 0) != 0)
    return g_test_skip ("only root can become a user without other processes");
  rlimit before{};
  getrlimit (RLIMIT_NPROC, &before);
  const rlimit one_more{static_cast<rlim_t> (here) + 1, before.rlim_max};
  setrlimit (RLIMIT_NPROC, &one_more);
  const bool limited = message_of ([] { require_threads (2); }) != "(no error)";
  const auto message = message_of ([&] {
    for (int i = 0; i < 20; i++)
      requests.add (batch, 1, [&done] {
        std::this_thread::sleep_for (1ms);
        done++;
      });
    requests.settle ();
  });
  setrlimit (RLIMIT_NPROC, &before);
  g_assert_cmpint (setresuid (0, 0, 0), ==, 0);
  same (message, "(no error)");
  g_assert_cmpint (done, ==, 20);
  if (!limited)
    g_test_skip ("the system does not limit threads");
  else
    g_assert_true (counters.read ().empty ()); // nothing to tell of one at a time
}

// It grows by itself where that pays.
void grows ()
{
  Monitor monitor;
  Counters counters;
  Requests requests (monitor, none_fails, counters, 0, 4);
  Requests::Batch batch;
  for (int i = 0; i < 150; i++)
    requests.add (batch, 1 << 20, [] { std::this_thread::sleep_for (1ms); });
  requests.wait (batch);
  requests.settle ();
  g_assert_cmpint (counters.read ().at ("requests"), ==, 4);
}

// What fails is told at once and ends the run; what has not begun is dropped, with what it holds.
void failure ()
{
  for (const int number : {1, 4}) {
    Monitor monitor;
    Counters counters;
    const auto held = std::make_shared<int> (1);
    int done = 0;
    std::string told;
    const auto failed = [&] (const std::exception_ptr &what) {
      told += message_of ([&] { std::rethrow_exception (what); });
      monitor.cancel ();
    };
    {
      Requests requests (monitor, failed, counters, number, 4);
      Requests::Batch batch;
      g_assert_true (cancelled ([&] {
        for (int i = 0; i < 1000; i++)
          requests.add (batch, 1, [held, i, &done, number] {
            if (i == 5)
              fail (SINO_ERROR_NO_SPACE, "no space for 'slice-5.tif'");
            if (number == 1) // a single thread
              done++;
          });
        requests.wait (batch);
      }));
      g_assert_true (cancelled ([&] { requests.add (batch, 1, [] {}); }));
      g_assert_true (cancelled ([&] { requests.settle (); }));
      same (told, "no space for 'slice-5.tif'");
      g_assert_cmpint (held.use_count (), ==, 1);
    }
    g_assert_cmpint (done, ==, number == 1 ? 5 : 0);
  }
}

// Waits end at once when the run is cancelled; settle () returns when no request is at work, and not before.
void cancel ()
{
  Monitor monitor;
  Counters counters;
  Requests requests (monitor, none_fails, counters, 2, 2);
  Requests::Batch batch;
  std::latch begun (2), go (1);
  std::atomic<int> ended = 0, others = 0;
  for (int i = 0; i < 2; i++)
    requests.add (batch, 1, [&] {
      begun.count_down ();
      go.wait ();
      std::this_thread::sleep_for (5ms);
      ended++;
    });
  begun.wait ();
  std::thread other ([&] { monitor.cancel (); });
  g_assert_true (cancelled ([&] {
    while (true)
      requests.add (batch, 1, [&] { others++; });
  }));
  g_assert_true (cancelled ([&] { requests.wait (batch); }));
  other.join ();
  g_assert_cmpint (ended, ==, 0);
  std::thread later ([&] { go.count_down (); });
  g_assert_true (cancelled ([&] { requests.settle (); }));
  g_assert_cmpint (ended, ==, 2);
  g_assert_cmpint (others, ==, 0);
  later.join ();
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/requests/pace", pace);
  g_test_add_func ("/requests/at-once", at_once);
  g_test_add_func ("/requests/most-of-all", most_of_all);
  g_test_add_func ("/requests/batches", batches);
  g_test_add_func ("/requests/few-threads", few_threads);
  g_test_add_func ("/requests/grows", grows);
  g_test_add_func ("/requests/failure", failure);
  g_test_add_func ("/requests/cancel", cancel);
  return g_test_run ();
}

} // namespace sino::test::requests_test
