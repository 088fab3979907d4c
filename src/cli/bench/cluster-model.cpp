// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/cluster-model.hpp"
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>

namespace sino::cli {

namespace {

constexpr double never = std::numeric_limits<double>::infinity ();

int64_t items_of (const Cluster &cluster, const ClusterScan &scan)
{
  const auto item = static_cast<int64_t> (cluster.item);
  return (scan.slices + item - 1) / item;
}

double rows_read (const Cluster &cluster, double slices)
{
  return slices + cluster.extra_rows;
}

// Bytes per second of a node whose requests have so many bytes: a request waits for the latency, the others meanwhile
// as well.
double speed_of_node (const Cluster &cluster, double request_bytes)
{
  return cluster.latency > 0 ? std::min (cluster.link, cluster.requests * request_bytes / cluster.latency)
                             : cluster.link;
}

double read_speed_of_node (const Cluster &cluster, const ClusterScan &scan)
{
  return speed_of_node (cluster, rows_read (cluster, cluster.item) * scan.row_bytes);
}

double write_speed_of_node (const Cluster &cluster, const ClusterScan &scan)
{
  return speed_of_node (cluster, scan.slice_bytes);
}

double frame_bytes (const Cluster &cluster, const ClusterScan &scan)
{
  return cluster.frames * static_cast<double> (scan.slices) * scan.row_bytes;
}

// The scan, and the output if it is one file.
double files_at_start (const ClusterScan &scan)
{
  return scan.slice_bytes > 0 && scan.slice_files == 0 ? 2 : 1;
}

// Rank 0 gives a single file its name.
double name_seconds (const Cluster &cluster, const ClusterScan &scan)
{
  return scan.slice_bytes > 0 && scan.slice_files == 0 ? 1 / cluster.metadata + cluster.latency : 0;
}

// A number from 0 to 1 that depends on nothing but these (splitmix64, S. Vigna), so that an item takes as long on
// whatever node it comes to be.
double share_of (double seed, uint64_t kind, uint64_t number)
{
  auto z = static_cast<uint64_t> (seed) * 0x9e3779b97f4a7c15U + (kind << 56U) + number + 0x632be59bd9b4e019U;
  for (int i = 0; i < 2; i++) {
    z += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
  }
  return static_cast<double> (z >> 11U) * 0x1p-53;
}

// Evenly spread around 1.
double varied (double deviation, double share)
{
  return 1 + deviation * std::sqrt (3) * (2 * share - 1);
}

// Serves one after the other, in the order in which they ask.
class OneServer
{
public:
  explicit OneServer (double rate) : each (1 / rate) {}

  double served (double now, double operations)
  {
    busy_until = std::max (busy_until, now) + operations * each;
    return busy_until;
  }

private:
  const double each;
  double busy_until = 0;
};

// Transfers under way share the bandwidth evenly, and none gets more than a node can have. All have got the same since
// any moment, so the next one that ends is that which ends at the lowest level.
class SharedBandwidth
{
public:
  SharedBandwidth (double a, double o) : all (a), one (o) {}

  void begin (double now, size_t node, double bytes)
  {
    if (!under_way.empty ())
      level += rate () * (now - last);
    last = now;
    under_way.emplace (level + bytes, node);
  }

  double next_end () const
  {
    return under_way.empty () ? never : last + std::max ((under_way.top ().first - level) / rate (), 0.0);
  }

  size_t end ()
  {
    last = next_end ();
    const auto [reached, node] = under_way.top ();
    level = reached;
    under_way.pop ();
    return node;
  }

private:
  using Transfer = std::pair<double, size_t>; // the level at which it ends, and whose it is
  const double all, one;
  double level = 0, last = 0;
  std::priority_queue<Transfer, std::vector<Transfer>, std::greater<>> under_way;

  double rate () const { return std::min (one, all / static_cast<double> (under_way.size ())); }
};

class ClusterSimulation
{
public:
  ClusterSimulation (const Cluster &c, const ClusterScan &s, int64_t n)
      : cluster (c), scan (s), items (items_of (c, s)), nodes (static_cast<size_t> (n)), counter (c.counter_rate),
        metadata (c.metadata), reading (c.read, read_speed_of_node (c, s)), frames (c.read, c.link),
        writing (c.write, write_speed_of_node (c, s))
  {
  }

  double run ();

private:
  enum class What : uint8_t { started, taken, asked_to_read, computed, asked_to_write };
  struct Event {
    double time;
    uint64_t order; // of those at the same time
    What what;
    size_t node;
    bool operator> (const Event &other) const { return time != other.time ? time > other.time : order > other.order; }
  };
  struct Node {
    bool reads = true, computes = false, writes = false; // or is about to
    bool all_taken = false;
    int begun = 0;
    int64_t item = -1; // that it takes or has read last; none is left: the number of items
    std::deque<int64_t> read, computed;
  };

  const Cluster &cluster;
  const ClusterScan &scan;
  const int64_t items;
  std::vector<Node> nodes;
  OneServer counter, metadata;
  // Darks and flats are read whole, so that no node's requests hold them up, and by all nodes before they read else.
  SharedBandwidth reading, frames, writing;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  uint64_t ordered = 0;
  int64_t next = 0;
  double now = 0, last_end = 0;

  double slices_of (int64_t i) const
  {
    return std::min (cluster.item, static_cast<double> (scan.slices) - static_cast<double> (i) * cluster.item);
  }
  void after (double time, What what, size_t node) { events.push ({time, ordered++, what, node}); }
  bool may_take (const Node &node) const;
  void take (size_t n);
  void compute (size_t n);
  void write (size_t n);
  void end_if_all_is_done (const Node &node);
  void happened (const Event &event);
  void has_read (size_t n);
  void has_written (size_t n);
};

// How many are left it knows from the item that it took last.
bool ClusterSimulation::may_take (const Node &node) const
{
  if (node.reads || node.all_taken || node.begun >= static_cast<int> (cluster.begun))
    return false;
  const bool has_work = node.computes || !node.read.empty ();
  return !has_work ||
         static_cast<double> (items - 1 - node.item) >= cluster.spare * static_cast<double> (nodes.size ());
}

void ClusterSimulation::take (size_t n)
{
  auto &node = nodes[n];
  if (!may_take (node))
    return;
  node.reads = true;
  node.item = std::min (next++, items);
  const auto way = 0.5 * cluster.counter_latency;
  after (counter.served (now + way, 1) + way, What::taken, n);
}

void ClusterSimulation::compute (size_t n)
{
  auto &node = nodes[n];
  if (node.computes || node.read.empty ())
    return;
  node.computes = true;
  const auto item = node.read.front ();
  const auto seconds = slices_of (item) * scan.slice_seconds + cluster.item_time;
  const auto times = varied (cluster.node_variation, share_of (cluster.seed, 1, n)) *
                     varied (cluster.item_variation, share_of (cluster.seed, 2, static_cast<uint64_t> (item)));
  after (now + times * seconds, What::computed, n);
}

void ClusterSimulation::write (size_t n)
{
  auto &node = nodes[n];
  if (node.writes || node.computed.empty ())
    return;
  node.writes = true;
  if (scan.slice_bytes <= 0)
    return has_written (n);
  const auto files = scan.slice_files * slices_of (node.computed.front ());
  after ((files > 0 ? metadata.served (now, files) : now) + cluster.latency, What::asked_to_write, n);
}

// A process brings what it wrote to the disks before it ends.
void ClusterSimulation::end_if_all_is_done (const Node &node)
{
  if (node.all_taken && node.begun == 0)
    last_end = std::max (last_end, now + (scan.slice_bytes > 0 ? cluster.latency : 0));
}

void ClusterSimulation::has_read (size_t n)
{
  auto &node = nodes[n];
  node.reads = false;
  node.read.push_back (node.item);
  compute (n);
  take (n);
}

void ClusterSimulation::has_written (size_t n)
{
  auto &node = nodes[n];
  node.writes = false;
  node.computed.pop_front ();
  node.begun--;
  write (n);
  take (n);
  end_if_all_is_done (node);
}

void ClusterSimulation::happened (const Event &event)
{
  auto &node = nodes[event.node];
  switch (event.what) {
  case What::started:
    return frames.begin (now, event.node, frame_bytes (cluster, scan));
  case What::taken:
    if (node.item < items) {
      node.begun++;
      return after (now + cluster.latency, What::asked_to_read, event.node);
    }
    node.reads = false;
    node.all_taken = true;
    return end_if_all_is_done (node);
  case What::asked_to_read:
    return reading.begin (now, event.node,
                          scan.projections * scan.row_bytes * rows_read (cluster, slices_of (node.item)));
  case What::computed:
    node.computes = false;
    node.computed.push_back (node.read.front ());
    node.read.pop_front ();
    compute (event.node);
    take (event.node);
    return write (event.node);
  case What::asked_to_write:
    return writing.begin (now, event.node, scan.slice_bytes * slices_of (node.computed.front ()));
  }
}

double ClusterSimulation::run ()
{
  now = (nodes.size () > 1 ? cluster.launch : 0) + cluster.start;
  for (size_t n = 0; n < nodes.size (); n++)
    after (metadata.served (now, files_at_start (scan)) + cluster.latency, What::started, n);
  for (;;) {
    const auto event = events.empty () ? never : events.top ().time;
    const auto first = std::min ({event, reading.next_end (), frames.next_end (), writing.next_end ()});
    if (first == never)
      break;
    now = first;
    if (first == event) {
      const auto top = events.top ();
      events.pop ();
      happened (top);
    } else if (first == frames.next_end ()) {
      const auto n = frames.end ();
      nodes[n].reads = false;
      take (n);
    } else if (first == reading.next_end ()) {
      has_read (reading.end ());
    } else {
      has_written (writing.end ());
    }
  }
  // All wait for the last one, in as many steps as a tree of them has.
  return last_end + std::ceil (std::log2 (static_cast<double> (nodes.size ()))) * cluster.counter_latency +
         name_seconds (cluster, scan);
}

std::vector<ClusterBound> bounds_of (const Cluster &cluster, const ClusterScan &scan, double nodes)
{
  const auto slices = static_cast<double> (scan.slices), items = static_cast<double> (items_of (cluster, scan));
  const auto at_work = std::min (nodes, items);
  const auto rows = slices + items * cluster.extra_rows, scan_bytes = rows * scan.projections * scan.row_bytes;
  const auto of_frames = nodes * frame_bytes (cluster, scan), written = slices * scan.slice_bytes;
  const auto start =
      (nodes > 1 ? cluster.launch : 0) + cluster.start + nodes * files_at_start (scan) / cluster.metadata;
  std::vector<ClusterBound> bounds{
      {"computing", "computing", (slices * scan.slice_seconds + items * cluster.item_time) / at_work},
      {"reading",
       of_frames > scan_bytes ? "reading: the file system, for the darks and flats of every node"
                              : "reading: the file system",
       (scan_bytes + of_frames) / cluster.read},
      {"reading", "reading: a node's link and requests",
       scan_bytes / at_work / read_speed_of_node (cluster, scan) + of_frames / nodes / cluster.link},
      {"counter", "the counter",
       std::max ((items + nodes) / cluster.counter_rate, items / nodes * cluster.counter_latency)},
      {"start-up", "start-up", start},
  };
  if (written > 0) {
    bounds.push_back ({"writing", "writing: the file system", written / cluster.write});
    bounds.push_back (
        {"writing", "writing: a node's link and requests", written / at_work / write_speed_of_node (cluster, scan)});
    bounds.push_back ({"writing", "writing: creation of files", slices * scan.slice_files / cluster.metadata});
  }
  return bounds;
}

} // namespace

const ClusterBound &ClusterTime::largest () const
{
  return *std::max_element (bounds.begin (), bounds.end (), [] (auto &a, auto &b) { return a.seconds < b.seconds; });
}

ClusterTime simulate_cluster (const Cluster &cluster, const ClusterScan &scan, int64_t nodes)
{
  return {nodes, items_of (cluster, scan), ClusterSimulation (cluster, scan, nodes).run (),
          bounds_of (cluster, scan, static_cast<double> (nodes))};
}

} // namespace sino::cli
