// SPDX-License-Identifier: LGPL-3.0-or-later
// Ranks that work on one run, here threads that reach the same memory in place of processes with MPI.
#include "ranks/cluster.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <glib.h>
#include <set>
#include <thread>

namespace sino::test::cluster_test {

namespace {

struct Memory {
  std::mutex mutex;
  std::vector<std::byte> bytes;
  std::atomic<int> left{0}, aborted{0};
};

class LocalBoard final : public Board
{
public:
  LocalBoard (std::shared_ptr<Memory> m, int rank, int ranks)
      : Board ({rank, ranks, rank, ranks, "here"}), memory (std::move (m))
  {
  }
  int64_t add (size_t at, int64_t number) override
  {
    const std::lock_guard guard (memory->mutex);
    int64_t before = 0;
    std::memcpy (&before, &memory->bytes[at], sizeof before);
    const auto after = before + number;
    std::memcpy (&memory->bytes[at], &after, sizeof after);
    return before;
  }
  void set (size_t at, std::span<const int64_t> words) override { put (at, std::as_bytes (words)); }
  void get (size_t at, std::span<int64_t> words) override { take (at, std::as_writable_bytes (words)); }
  void put (size_t at, std::span<const std::byte> from) override
  {
    const std::lock_guard guard (memory->mutex);
    g_assert_cmpuint (at + from.size (), <=, memory->bytes.size ());
    std::ranges::copy (from, memory->bytes.begin () + static_cast<std::ptrdiff_t> (at));
  }
  void take (size_t at, std::span<std::byte> to) override
  {
    const std::lock_guard guard (memory->mutex);
    g_assert_cmpuint (at + to.size (), <=, memory->bytes.size ());
    std::copy_n (memory->bytes.begin () + static_cast<std::ptrdiff_t> (at), to.size (), to.begin ());
  }
  void leave () override { memory->left++; }
  void abort (int) noexcept override { memory->aborted++; }

private:
  const std::shared_ptr<Memory> memory;
};

// Calls `body` in so many ranks at once; what they left.
template <class Body> std::shared_ptr<Memory> in_ranks (int ranks, Body body)
{
  auto memory = std::make_shared<Memory> ();
  memory->bytes.resize (Cluster::bytes (ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; rank++)
    threads.emplace_back ([&, rank] {
      Cluster cluster (std::make_unique<LocalBoard> (memory, rank, ranks));
      Monitor monitor;
      body (cluster, monitor);
      cluster.leave (0);
    });
  for (auto &thread : threads)
    thread.join ();
  return memory;
}

void test_agree ()
{
  const auto memory = in_ranks (5, [] (Cluster &cluster, const Monitor &monitor) {
    cluster.begin (monitor);
    for (int round = 0; round < 20; round++) {
      const auto mine = text ("%d,", round * 10 + cluster.place ().rank);
      const auto all = cluster.agree (mine, monitor, [] (const auto &said) { return join (said, ""); });
      std::string expected;
      for (int rank = 0; rank < 5; rank++)
        expected += text ("%d,", round * 10 + rank);
      g_assert_cmpstr (all.c_str (), ==, expected.c_str ());
      g_assert_true (cluster.told (cluster.leads () ? "said" : "not heard", monitor) == "said");
      cluster.meet (monitor);
    }
  });
  g_assert_cmpint (memory->left, ==, 5);
  g_assert_cmpint (memory->aborted, ==, 0);
}

// Each place is given once, in every pass and every run.
void test_places ()
{
  std::mutex mutex;
  std::multiset<int64_t> taken[2][2];
  in_ranks (4, [&] (Cluster &cluster, const Monitor &monitor) {
    for (auto &run : taken) {
      cluster.begin (monitor);
      for (int pass = 0; pass < 2; pass++)
        for (int64_t place; (place = cluster.next (pass)) < 100;) {
          const std::lock_guard guard (mutex);
          run[pass].insert (place);
        }
      cluster.meet (monitor);
    }
  });
  for (const auto &run : taken)
    for (const auto &pass : run)
      g_assert_true (pass.size () == 100 && std::set (pass.begin (), pass.end ()).size () == 100);
}

void test_once ()
{
  std::atomic<int> made = 0;
  const auto path = std::string (g_get_tmp_dir ()) + "/sinograph-once";
  in_ranks (4, [&] (Cluster &cluster, const Monitor &monitor) {
    cluster.begin (monitor);
    for (size_t number = 0; number < 3; number++) {
      const auto bytes = cluster.once (number, path, monitor, [&] {
        made++;
        return Bytes (100000 + number, static_cast<std::byte> (number + 7));
      });
      g_assert_true (bytes == Bytes (100000 + number, static_cast<std::byte> (number + 7)));
    }
    cluster.meet (monitor);
  });
  g_assert_cmpint (made, ==, 3);
}

void test_shares ()
{
  in_ranks (3, [&] (Cluster &cluster, const Monitor &monitor) {
    cluster.begin (monitor);
    const int rank = cluster.place ().rank;
    cluster.tell ({rank, rank + 1, rank + 2, rank + 3, rank + 0.5, rank * 0.25});
    cluster.meet (monitor);
    const auto all = cluster.shares ();
    g_assert_cmpuint (all.size (), ==, 3);
    g_assert_true (all[2].items == 2 && all[2].slices == 5 && all[1].updates == 1.5 && all[2].voxels == 0.5);
    cluster.meet (monitor);
  });
}

// The one that asked first gives up, and others make it.
void test_once_again ()
{
  std::atomic<int> tries = 0;
  const auto path = std::string (g_get_tmp_dir ()) + "/sinograph-once-again";
  in_ranks (3, [&] (Cluster &cluster, const Monitor &monitor) {
    cluster.begin (monitor);
    for (bool done = false; !done;)
      try {
        const auto bytes = cluster.once (5, path, monitor, [&] {
          std::this_thread::sleep_for (std::chrono::milliseconds (5));
          if (tries++ < 2)
            throw Cancelled ();
          return Bytes (10, std::byte{3});
        });
        g_assert_true (bytes == Bytes (10, std::byte{3}));
        done = true;
      } catch (const Cancelled &) { // and asks again with another device
      }
    cluster.meet (monitor);
  });
  g_assert_cmpint (tries, ==, 3);
}

// One run at a time.
void test_turns ()
{
  in_ranks (2, [] (Cluster &cluster, const Monitor &monitor) {
    for (int run = 0; run < 2; run++) {
      cluster.take_turn ();
      cluster.begin (monitor);
      try {
        cluster.take_turn ();
        g_assert_not_reached ();
      } catch (const Error &e) {
        g_assert_nonnull (std::strstr (e.what (), "one run at a time"));
      }
      g_assert_cmpint (cluster.taken (3), ==, 0);
      cluster.meet (monitor);
      cluster.next (3);
      cluster.meet (monitor);
      g_assert_cmpint (cluster.taken (3), ==, 2);
      cluster.meet (monitor);
      cluster.end_turn ();
    }
  });
}

// One fails, wherever the others wait: all of them do, by its reason, and none is left behind.
void test_failure ()
{
  std::atomic<int> heard = 0;
  const auto memory = in_ranks (4, [&] (Cluster &cluster, const Monitor &monitor) {
    cluster.begin (monitor);
    if (cluster.place ().rank == 2) {
      std::this_thread::sleep_for (std::chrono::milliseconds (20));
      cluster.fail (SINO_ERROR_NO_SPACE, "write: the disk is full");
      cluster.fail (SINO_ERROR_FAILED, "what follows from it");
      return;
    }
    try {
      cluster.meet (monitor);
      g_assert_not_reached ();
    } catch (const Error &e) {
      g_assert_cmpint (e.code, ==, SINO_ERROR_NO_SPACE);
      g_assert_cmpstr (e.what (), ==, "rank 2 (here): write: the disk is full");
      heard++;
    }
    try {
      cluster.take_turn ();
      g_assert_not_reached ();
    } catch (const Error &e) {
      g_assert_nonnull (std::strstr (e.what (), "start them again"));
    }
    cluster.leave (1);
    g_assert_true (cluster.was_told ());
  });
  g_assert_cmpint (heard, ==, 3);
  g_assert_cmpint (memory->left, ==, 4);
}

// A run that is cancelled waits for nobody.
void test_cancelled ()
{
  std::atomic<bool> over = false;
  in_ranks (2, [&] (Cluster &cluster, Monitor &monitor) {
    if (!cluster.leads ()) {
      while (!over)
        std::this_thread::sleep_for (std::chrono::milliseconds (1));
      return;
    }
    std::thread other ([&] {
      std::this_thread::sleep_for (std::chrono::milliseconds (20));
      monitor.cancel ();
    });
    try {
      cluster.agree ("", monitor);
      g_assert_not_reached ();
    } catch (const Cancelled &) {
    }
    other.join ();
    over = true;
  });
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/cluster/agree", test_agree);
  g_test_add_func ("/cluster/places", test_places);
  g_test_add_func ("/cluster/once", test_once);
  g_test_add_func ("/cluster/once-again", test_once_again);
  g_test_add_func ("/cluster/turns", test_turns);
  g_test_add_func ("/cluster/shares", test_shares);
  g_test_add_func ("/cluster/failure", test_failure);
  g_test_add_func ("/cluster/cancelled", test_cancelled);
  return g_test_run ();
}

} // namespace sino::test::cluster_test
