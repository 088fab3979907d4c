// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops that were started and are waited for later.
#include "device/work.hpp"
#include "base/error.hpp"
#include "device/device.hpp"
#include "device/pages-ahead.hpp"
#include "tests/support/expect.hpp"
#include <chrono>
#include <numeric>
#include <thread>

namespace sino::test::work_test {

namespace {

constexpr int thread_numbers[] = {1, 2, 3, 8};

Block new_block ()
{
  static const auto format = std::make_shared<const Format> (
      projections (Element::u8, Dim{Axis::angle, 1}, Dim{Axis::row, 1}, Dim{Axis::column, 1}));
  return make_block (format, {}, {{0, 1}, {0, 1}});
}

void none_fails (const std::exception_ptr &)
{
  g_assert_not_reached ();
}

// Running sums: each loop needs all of the one before it.
void test_order ()
{
  constexpr size_t n = 1000;
  for (const int threads : thread_numbers) {
    const Monitor monitor;
    const Cpu cpu (threads, monitor);
    std::vector<std::vector<int>> lists (20, std::vector<int> (n, 1));
    Underway underway (cpu, monitor, none_fails, 7);
    for (auto &list : lists) {
      std::vector<Loop> loops;
      for (size_t step = 1; step < n; step *= 2) {
        const auto before = std::make_shared<std::vector<int>> (n);
        const auto each = [] (auto body) {
          return [body] (int64_t begin, int64_t end) {
            for (auto i = static_cast<size_t> (begin); i < static_cast<size_t> (end); i++)
              body (i);
          };
        };
        loops.push_back ({n, 10, each ([&list, before] (size_t i) { (*before)[i] = list[i]; })});
        loops.push_back ({0, 1, [] (int64_t, int64_t) { g_assert_not_reached (); }});
        loops.push_back ({n, 0, each ([&list, before, step] (size_t i) {
                            if (i >= step)
                              list[i] += (*before)[i - step];
                          })});
      }
      underway.start (std::move (loops));
    }
    underway.wait ();
    std::vector<int> wanted (n);
    std::iota (wanted.begin (), wanted.end (), 1);
    for (const auto &list : lists)
      g_assert_true (list == wanted);
  }
}

// What fails is told at once, where others go on, and ends all waits; the loops that follow do not begin, and nothing
// is held any more.
void test_failure ()
{
  for (const int threads : thread_numbers)
    for (const int most : {1, 3}) {
      Monitor monitor;
      const Cpu cpu (threads, monitor);
      std::string told;
      const auto failed = [&] (const std::exception_ptr &what) {
        told = message_of ([&] { std::rethrow_exception (what); });
        monitor.cancel ();
      };
      const auto held = std::make_shared<int> (0);
      const auto block = new_block ();
      Underway underway (cpu, monitor, failed, most);
      const auto start = [&] {
        underway.start ({{100, 1,
                          [held] (int64_t, int64_t end) {
                            if (end == 100)
                              fail (SINO_ERROR_FAILED, "broke");
                          }},
                         {100, 1, [held] (int64_t, int64_t) { (*held)++; }}},
                        std::span (&block, 1));
      };
      if (threads == 1 || most == 1)
        same (message_of (start), "broke");
      else {
        start ();
        for (int i = 0; i < 2; i++)
          g_assert_true (cancelled ([&] { block.buffer ()->settle (); }));
        g_assert_true (cancelled ([&] { underway.wait (); }));
        same (told, "broke");
      }
      g_assert_cmpint (*held, ==, 0);
      g_assert_cmpint (held.use_count (), ==, 1);
    }
}

void test_cancel ()
{
  for (const int threads : thread_numbers) {
    Monitor monitor;
    const Cpu cpu (threads, monitor);
    std::atomic<int> done = 0;
    std::thread other ([&monitor] {
      std::this_thread::sleep_for (std::chrono::milliseconds (20));
      monitor.cancel ();
    });
    g_assert_true (cancelled ([&] {
      Underway underway (cpu, monitor, none_fails, 3);
      for (int i = 0; i < 3; i++)
        underway.start ({{1 << 20, 1, [&] (int64_t begin, int64_t end) {
                            for (auto k = begin; k < end && !monitor.cancelled (); k++, done++)
                              std::this_thread::sleep_for (std::chrono::milliseconds (1));
                          }}});
      underway.wait ();
    }));
    other.join ();
    g_assert_cmpint (done, <, 1 << 20);
  }
}

// Blocks are filled when they settle, what fills them is let go of, and no more are under way than may be.
void test_under_way ()
{
  const Monitor monitor;
  const Cpu cpu (3, monitor);
  for (const int most : {1, 2, 5}) {
    std::atomic<int> at_work = 0, at_once = 0;
    std::vector<Block> blocks;
    Underway underway (cpu, monitor, none_fails, most);
    for (int i = 0; i < 20; i++) {
      blocks.push_back (new_block ());
      const auto begin = [&at_work, &at_once] (int64_t, int64_t) {
        const int now = ++at_work;
        for (int seen = at_once; now > seen && !at_once.compare_exchange_weak (seen, now);)
          continue;
      };
      const auto fill = [&at_work, block = blocks.back (), i] (int64_t, int64_t) {
        block.buffer ()->data[0] = static_cast<std::byte> (i);
        at_work--;
      };
      underway.start ({{1, 1, begin}, {1, 1, fill}}, std::span (&blocks.back (), 1));
    }
    for (size_t i = 0; i < blocks.size (); i++) {
      blocks[i].buffer ()->settle ();
      g_assert_cmpuint (static_cast<size_t> (blocks[i].data ()[0]), ==, i);
    }
    underway.wait ();
    for (const auto &block : blocks)
      g_assert_cmpint (block.buffer ().use_count (), ==, 1);
    g_assert_cmpint (at_once, <=, most);
  }
}

// Pages that threads bring ahead hold what was written meanwhile, however early the end comes.
void test_pages_ahead ()
{
  constexpr size_t bytes = size_t{8} << 20, step = 4096;
  for (const int threads : thread_numbers) {
    const Monitor monitor;
    const Cpu cpu (threads, monitor);
    for (int i = 0; i < 20; i++) {
      const auto first = allocate_pages (bytes), second = allocate_pages (bytes);
      {
        const PagesAhead pages (cpu, {{first->data, bytes}, {}, {second->data, bytes}});
        for (size_t at = 0; at < bytes * static_cast<size_t> (i) / 20; at += step)
          first->data[at] = second->data[bytes - 1 - at] = static_cast<std::byte> (1);
      }
      for (size_t at = 0; at < bytes; at += step) {
        const bool written = at < bytes * static_cast<size_t> (i) / 20;
        g_assert_true (first->data[at] == static_cast<std::byte> (written));
        g_assert_true (second->data[bytes - 1 - at] == static_cast<std::byte> (written));
      }
    }
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/work/order", test_order);
  g_test_add_func ("/work/failure", test_failure);
  g_test_add_func ("/work/cancel", test_cancel);
  g_test_add_func ("/work/under-way", test_under_way);
  g_test_add_func ("/work/pages-ahead", test_pages_ahead);
  return g_test_run ();
}

} // namespace sino::test::work_test
