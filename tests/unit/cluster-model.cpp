// SPDX-License-Identifier: LGPL-3.0-or-later
// The simulation of a cluster against formulas, in cases that are simple enough for them: all resources but one are so
// fast that they take no time.
#include "cli/bench/cluster-model.hpp"
#include <algorithm>
#include <cmath>
#include <glib.h>
#include <string>

namespace sino::test::cluster_model_test {

using namespace cli;

namespace {

constexpr double endless = 1e24; // a rate

// Free of everything, with items of four slices.
StatedCluster free_cluster ()
{
  StatedCluster cluster;
  cluster.launch = cluster.start = cluster.latency = cluster.counter_latency = cluster.item_time = cluster.frames = 0;
  cluster.read = cluster.write = cluster.link = cluster.metadata = cluster.counter_rate = endless;
  cluster.item = 4;
  return cluster;
}

// 64 slices, of which each takes 2 s to compute; nothing is written.
ClusterScan computing_scan ()
{
  ClusterScan scan;
  scan.slices = 64;
  scan.row_bytes = 1;
  scan.slice_seconds = 2;
  return scan;
}

// 64 slices, of which each has 1e9 bytes in 100 projections of the scan, and 3e9 as it is written.
ClusterScan moving_scan (bool written)
{
  ClusterScan scan;
  scan.slices = 64;
  scan.projections = 100;
  scan.row_bytes = 1e7;
  scan.slice_bytes = written ? 3e9 : 0;
  return scan;
}

// The simulation adds up numbers in double.
void expect (double got, double wanted)
{
  if (!(std::abs (got - wanted) <= 1e-9 * std::abs (wanted)))
    g_error ("got %.12g s, wanted %.12g s", got, wanted);
}

double seconds (const StatedCluster &cluster, const ClusterScan &scan, int64_t nodes)
{
  return simulate_cluster (cluster, scan, nodes).seconds;
}

std::string bound (const StatedCluster &cluster, const ClusterScan &scan, int64_t nodes)
{
  return simulate_cluster (cluster, scan, nodes).largest ().key;
}

void test_computing ()
{
  auto cluster = free_cluster ();
  cluster.start = 3, cluster.launch = 5, cluster.item_time = 0.25;
  auto scan = computing_scan ();
  for (const int nodes : {1, 2, 3, 5, 16, 40}) {
    const auto rounds = std::ceil (16.0 / nodes); // of the node that has most items
    expect (seconds (cluster, scan, nodes), 3 + (nodes > 1 ? 5 : 0) + rounds * (4 * 2 + 0.25));
    g_assert_true (bound (cluster, scan, nodes) == "computing");
  }
  scan.slices = 62; // the last item has two slices
  expect (seconds (cluster, scan, 1), 3 + 62 * 2 + 16 * 0.25);
  expect (seconds (cluster, scan, 16), 3 + 5 + 4 * 2 + 0.25);
}

void test_too_few_items ()
{
  const auto cluster = free_cluster ();
  const auto scan = computing_scan ();
  g_assert_false (simulate_cluster (cluster, scan, 16).too_few_items ());
  const auto many = simulate_cluster (cluster, scan, 17);
  g_assert_true (many.too_few_items ());
  g_assert_cmpint (many.items, ==, 16);
  expect (many.seconds, seconds (cluster, scan, 16));
}

void test_reading ()
{
  auto cluster = free_cluster ();
  cluster.read = 20e9, cluster.link = 8e9;
  const auto scan = moving_scan (false);
  expect (seconds (cluster, scan, 1), 64 / 8.0);     // by the link
  expect (seconds (cluster, scan, 2), 64 / 2 / 8.0); // by two of them
  expect (seconds (cluster, scan, 4), 64 / 20.0);    // by the file system
  expect (seconds (cluster, scan, 16), 64 / 20.0);   // however many they are
  g_assert_true (bound (cluster, scan, 4) == "reading");
  cluster.extra_rows = 1; // a quarter more of an item
  expect (seconds (cluster, scan, 16), 1.25 * 64 / 20.0);
  cluster.extra_rows = 0, cluster.frames = 50; // half of the scan, by one of them
  expect (seconds (cluster, scan, 4), 32 / 8.0 + 64 / 20.0);
  expect (seconds (cluster, scan, 1), (64 + 32) / 8.0);
}

void test_latency_of_requests ()
{
  auto cluster = free_cluster ();
  cluster.latency = 1e-3, cluster.requests = 8;
  const auto scan = moving_scan (false);
  // An item waits once for its first request, then every eight of its 100 come in a latency. Before that the node opens
  // the scan, and there are no darks and flats to be read.
  expect (seconds (cluster, scan, 1), 1e-3 + 16 * (1e-3 + 100 / 8.0 * 1e-3));
}

void test_writing ()
{
  auto cluster = free_cluster ();
  cluster.write = 12e9, cluster.link = 10e9;
  cluster.read = endless;
  auto scan = moving_scan (true);
  scan.row_bytes = 1e-9;
  expect (seconds (cluster, scan, 1), 192 / 10.0);
  expect (seconds (cluster, scan, 4), 192 / 12.0);
  expect (seconds (cluster, scan, 16), 192 / 12.0);
  g_assert_true (bound (cluster, scan, 16) == "writing");

  cluster = free_cluster ();
  cluster.metadata = 10, scan.slice_files = 2; // each node opens the scan as well
  expect (seconds (cluster, scan, 4), (4 + 64 * 2) / 10.0);
  g_assert_true (bound (cluster, scan, 4) == "writing");
}

void test_counter ()
{
  auto cluster = free_cluster ();
  cluster.item = 1, cluster.counter_rate = 100;
  const auto scan = moving_scan (false);
  // Each node looks before it takes, and looks once more to find that nothing is left.
  for (const int nodes : {1, 3, 64})
    expect (seconds (cluster, scan, nodes), (2 * 64 + nodes) / 100.0);
  g_assert_true (bound (cluster, scan, 64) == "counter");
  cluster = free_cluster ();
  cluster.item = 1, cluster.counter_latency = 0.5;
  expect (seconds (cluster, scan, 1), 129 * 0.5);
  expect (seconds (cluster, scan, 4), 33 * 0.5 + 2 * 0.5); // and all wait for each other, in two steps
}

void test_start ()
{
  auto cluster = free_cluster ();
  cluster.launch = 2, cluster.start = 1, cluster.metadata = 100, cluster.latency = 0.25;
  auto scan = moving_scan (true);
  scan.slices = 1;
  cluster.requests = 1e24;
  // Two files are opened by each. One node has the item, and waits a latency to open, to read, to write and to sync;
  // then the file gets its name.
  expect (seconds (cluster, scan, 1), 1 + 2 / 100.0 + 4 * 0.25 + 1 / 100.0 + 0.25);
  g_assert_true (bound (cluster, scan, 50) == "start-up");
}

// Reading, computing and writing of different items overlap as long as a node may have begun as many.
void test_overlap ()
{
  auto cluster = free_cluster ();
  cluster.read = 4e9, cluster.write = 4e9; // an item is read in 1 s, computed in 2 s, written in 3 s
  auto scan = moving_scan (true);
  scan.slice_seconds = 0.5;
  expect (seconds (cluster, scan, 1), 1 + 2 + 16 * 3);
  cluster.begun = 1;
  expect (seconds (cluster, scan, 1), 16 * (1 + 2 + 3));
  cluster.begun = 2; // an item is taken when the one before the last is written: its 1 + 2 s hide behind 3 s
  expect (seconds (cluster, scan, 1), 1 + 2 + 16 * 3);
  scan.slice_seconds = 1; // 1 + 4 s do not: of each 8 s a node writes two items
  expect (seconds (cluster, scan, 1), 16 / 2 * (1 + 4 + 3) + 4);
}

// Until it has ended an item, a node among others begins two at most: the third is read late.
void test_two_begun ()
{
  auto cluster = free_cluster ();
  cluster.link = 2e9; // an item is read in 2 s, computed in 4 s, written in 3 s
  auto scan = moving_scan (true);
  scan.slices = 128, scan.slice_bytes = 1.5e9, scan.slice_seconds = 1;
  expect (seconds (cluster, scan, 1), 2 + 32 * 4 + 3); // alone it begins as many as there is room for
  // Sixteen items each; the kernels wait 1 s for the third. Of the last node, they wait 1 s for the last item but one,
  // which it may begin with one begun, and the last item may begin when all else has ended.
  expect (seconds (cluster, scan, 2), 2 + 15 * 4 + 3 + 1 + 1 + 2 + 4 + 3);
}

// A node that starts late finds items left, though not always as many as would be best.
void test_last_items ()
{
  auto cluster = free_cluster ();
  cluster.metadata = 1; // nodes open the scan after 1 s and 2 s
  auto scan = computing_scan ();
  scan.slices = 12; // three items of 8 s: the first takes two, the second one
  expect (seconds (cluster, scan, 2), 1 + 2 * 8);
  scan.slices = 16; // when the first ends one and has another, it leaves the last one to the second
  expect (seconds (cluster, scan, 2), 2 + 2 * 8);
  scan.slices = 20; // of five the second gets two
  expect (seconds (cluster, scan, 2), 1 + 3 * 8);
}

// However late nodes start, none works for more than an item longer than all would on equal shares.
void test_nobody_hoards ()
{
  for (const double later : {0.0, 0.01, 0.1, 0.7, 3.0})
    for (int64_t nodes = 2; nodes <= 64; nodes++)
      for (const int items : {64, 100, 256, 500}) {
        auto cluster = free_cluster ();
        cluster.metadata = later > 0 ? 1 / later : endless;
        auto scan = computing_scan ();
        scan.slices = 4 * items;
        const auto many = static_cast<double> (nodes), starts = later * many;
        const auto share = std::ceil (items / many) * 8;
        g_assert_cmpfloat (seconds (cluster, scan, nodes), <=, starts + share + 8 + 1e-6);
      }
}

// One node makes the dark and the flat; the others, if they have work, wait for it and read them.
void test_frames ()
{
  auto cluster = free_cluster ();
  cluster.read = 20e9, cluster.write = 4e9, cluster.link = 8e9, cluster.frames = 50;
  auto scan = computing_scan ();
  scan.projections = 0; // only frames are read
  scan.row_bytes = 1e7, scan.reduced_bytes = 8e9;
  expect (seconds (cluster, scan, 1), 32 / 8.0 + 16 * 8);
  expect (seconds (cluster, scan, 16), 32 / 8.0 + 8 / 4.0 + 15 * 8 / 20.0 + 8);
  expect (seconds (cluster, scan, 40), seconds (cluster, scan, 16));
  scan.slice_seconds = 0.01;
  g_assert_true (bound (cluster, scan, 16) == "frames");
  scan.slice_seconds = 2;
  // All open the scan; then one reads the frames and creates a file, and the others open and read it.
  cluster.latency = 0.25, cluster.requests = endless;
  expect (seconds (cluster, scan, 16), 0.25 + 0.25 + 32 / 8.0 + 0.25 + 8 / 4.0 + 0.25 + 15 * 8 / 20.0 + 0.25 + 8);
  cluster.frames = 0;
  expect (seconds (cluster, scan, 16), 0.25 + 0.25 + 8);
}

void test_planned_item ()
{
  auto cluster = free_cluster ();
  auto scan = computing_scan ();
  const auto item = [&] (int64_t nodes) { return static_cast<int> (planned_item (cluster, scan, nodes)); };
  g_assert_cmpint (item (16), ==, 4); // as stated
  cluster.item = 0;
  cluster.most_item = 16;
  for (const int nodes : {1, 2, 4, 16})
    g_assert_cmpint (item (nodes), ==, 16 / nodes); // four for each node
  g_assert_cmpint (item (1000), ==, 1);
  cluster.step = 8;
  for (const int nodes : {2, 4, 1000})
    g_assert_cmpint (item (nodes), ==, 8);
  g_assert_cmpint (static_cast<int> (simulate_cluster (cluster, scan, 1000).items), ==, 8);
  cluster.step = 1;
  scan.slices = 65; // five items in any case
  g_assert_cmpint (item (1), ==, 13);
  scan.slices = 3;
  g_assert_cmpint (item (1), ==, 1);
}

// Two transfers share, and what is left of the longer one has more.
void test_fair_share ()
{
  auto cluster = free_cluster ();
  cluster.read = 10e9, cluster.link = 6e9;
  auto scan = moving_scan (false);
  scan.slices = 6; // items of 4 and of 2 slices
  expect (seconds (cluster, scan, 2), 2 / 5.0 + 2 / 6.0);
  cluster.link = endless;
  expect (seconds (cluster, scan, 2), 6 / 10.0);
}

// Never faster than any bound, never slower than all of them one after the other, and more nodes never lose where
// nothing is paid for each.
void test_bounds ()
{
  StatedCluster cluster;
  cluster.start = 0.3, cluster.item_time = 1e-3;
  auto scan = moving_scan (true);
  scan.slices = 1000, scan.slice_seconds = 0.7, scan.slice_files = 2;
  for (int64_t nodes = 1; nodes <= 256; nodes *= 2) {
    const auto time = simulate_cluster (cluster, scan, nodes);
    double sum = 0;
    for (const auto &each : time.bounds)
      sum += each.seconds;
    g_assert_cmpfloat (time.seconds, >=, time.largest ().seconds);
    g_assert_cmpfloat (time.seconds, <=, 2 * sum);
  }
}

void test_variation ()
{
  auto cluster = free_cluster ();
  auto scan = computing_scan ();
  scan.slices = 64000;
  cluster.item_variation = 0.2;
  const auto one = seconds (cluster, scan, 1);
  g_assert_cmpfloat (one, ==, seconds (cluster, scan, 1));
  // The mean of 16,000 items errs by 0.2 / 126.
  g_assert_cmpfloat (std::abs (one / (64000 * 2) - 1), <, 5 * 0.2 / 126);
  g_assert_cmpfloat (one, !=, 64000 * 2);
  const auto many = seconds (cluster, scan, 16);
  // Who is free takes the next one, so that nodes end within an item of each other.
  g_assert_cmpfloat (many, >=, one / 16);
  g_assert_cmpfloat (many, <=, one / 16 + 4 * 2 * (1 + 0.2 * std::sqrt (3)));
  cluster.seed = 2;
  g_assert_cmpfloat (one, !=, seconds (cluster, scan, 1));

  cluster = free_cluster ();
  cluster.node_variation = 0.1;
  const auto unequal = seconds (cluster, scan, 16);
  // All are at work until the last items: together they are as fast as the sum of their speeds, 1 % more than 16.
  g_assert_cmpfloat (std::abs (unequal / (64000 * 2 / 16.0) - 1), <, 0.1);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/cluster-model/computing", test_computing);
  g_test_add_func ("/cluster-model/too-few-items", test_too_few_items);
  g_test_add_func ("/cluster-model/reading", test_reading);
  g_test_add_func ("/cluster-model/latency-of-requests", test_latency_of_requests);
  g_test_add_func ("/cluster-model/writing", test_writing);
  g_test_add_func ("/cluster-model/counter", test_counter);
  g_test_add_func ("/cluster-model/start", test_start);
  g_test_add_func ("/cluster-model/overlap", test_overlap);
  g_test_add_func ("/cluster-model/two-begun", test_two_begun);
  g_test_add_func ("/cluster-model/last-items", test_last_items);
  g_test_add_func ("/cluster-model/nobody-hoards", test_nobody_hoards);
  g_test_add_func ("/cluster-model/frames", test_frames);
  g_test_add_func ("/cluster-model/planned-item", test_planned_item);
  g_test_add_func ("/cluster-model/fair-share", test_fair_share);
  g_test_add_func ("/cluster-model/bounds", test_bounds);
  g_test_add_func ("/cluster-model/variation", test_variation);
  return g_test_run ();
}

} // namespace sino::test::cluster_model_test
