// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/cluster-model.hpp"
#include "cli/bench/cluster-resources.hpp"
#include <algorithm>
#include <cmath>
#include <deque>

namespace sino::cli {

namespace {

constexpr double items_of_node = 4; // as the planner has them, if there are rows enough

int64_t items_of (const StatedCluster &cluster, const ClusterScan &scan)
{
  const auto item = static_cast<int64_t> (cluster.item);
  return (scan.slices + item - 1) / item;
}

double rows_read (const StatedCluster &cluster, double slices)
{
  return slices + cluster.extra_rows;
}

// Bytes per second of a node whose requests have so many bytes: a request waits for the latency, the others meanwhile
// as well.
double speed_of_node (const StatedCluster &cluster, double request_bytes)
{
  return cluster.latency > 0 ? std::min (cluster.link, cluster.requests * request_bytes / cluster.latency)
                             : cluster.link;
}

double read_speed_of_node (const StatedCluster &cluster, const ClusterScan &scan)
{
  return speed_of_node (cluster, rows_read (cluster, cluster.item) * scan.row_bytes);
}

double write_speed_of_node (const StatedCluster &cluster, const ClusterScan &scan)
{
  return speed_of_node (cluster, scan.slice_bytes);
}

double frame_bytes (const StatedCluster &cluster, const ClusterScan &scan)
{
  return cluster.frames * static_cast<double> (scan.slices) * scan.row_bytes;
}

// Seconds of a transfer of its own, before others have anything to transfer.
double alone (const StatedCluster &cluster, double all, double bytes)
{
  return bytes / std::min (cluster.link, all);
}

// The scan, and the output if it is one file.
double files_at_start (const ClusterScan &scan)
{
  return scan.slice_bytes > 0 && scan.slice_files == 0 ? 2 : 1;
}

// Rank 0 gives a single file its name.
double name_seconds (const StatedCluster &cluster, const ClusterScan &scan)
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

class ClusterSimulation
{
public:
  ClusterSimulation (const StatedCluster &c, const ClusterScan &s, int64_t n)
      : cluster (c), scan (s), items (items_of (c, s)), nodes (static_cast<size_t> (n)), counter (c.counter_rate),
        metadata (c.metadata), reading (c.read, read_speed_of_node (c, s)), frames (c.read, c.link),
        writing (c.write, write_speed_of_node (c, s))
  {
  }

  double run ();

private:
  enum class What : uint8_t {
    started,
    looked,
    taken,
    asked_for_frames,
    made_frames,
    asked_to_read,
    computed,
    asked_to_write
  };
  struct Event {
    double time;
    uint64_t order; // of those at the same time
    What what;
    size_t node;
    bool operator> (const Event &other) const { return time != other.time ? time > other.time : order > other.order; }
  };
  struct Node {
    bool reads = true, computes = false, writes = false; // or is about to
    bool has_frames = false, all_taken = false;
    bool ended = false; // an item
    int64_t begun = 0;
    int64_t item = -1;  // that it has taken last
    int64_t passed = 0; // items that are taken, as far as it knows
    std::deque<int64_t> read, computed;
  };
  enum class Frames : uint8_t { wanted, in_the_making, there };

  const StatedCluster &cluster;
  const ClusterScan &scan;
  const int64_t items;
  std::vector<Node> nodes;
  OneServer counter, metadata;
  // Darks and flats are read whole, so that no node's requests hold them up, and by each node before it reads else.
  SharedBandwidth reading, frames, writing;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  uint64_t ordered = 0;
  int64_t next = 0;
  Frames made = Frames::wanted;
  std::vector<size_t> want_frames; // nodes that wait for those that another one makes
  double now = 0, last_end = 0;

  double slices_of (int64_t i) const
  {
    return std::min (cluster.item, static_cast<double> (scan.slices) - static_cast<double> (i) * cluster.item);
  }
  void after (double time, What what, size_t node) { events.push ({time, ordered++, what, node}); }
  bool may_begin (const Node &node) const;
  void take (size_t n);
  void ask (What then, size_t n);
  void begin (size_t n);
  void want (size_t n);
  double opened () { return metadata.served (now, 1) + cluster.latency; } // when a file is
  void has_frames (size_t n);
  void compute (size_t n);
  void write (size_t n);
  void end_if_all_is_done (const Node &node);
  void happened (const Event &event);
  void has_read (size_t n);
  void has_written (size_t n);
};

// As the rule of pass/handout.hpp has it for several processes, of which each has one device. A single one begins what
// its memory has room for.
bool ClusterSimulation::may_begin (const Node &node) const
{
  const auto most = static_cast<int64_t> (cluster.begun), several = static_cast<int64_t> (nodes.size ());
  if (several == 1)
    return node.begun < most;
  return node.begun < (node.ended ? most : std::min<int64_t> (most, 2)) && node.begun * several <= items - node.passed;
}

// Looks at the counter first: what the node knows of it may be old.
void ClusterSimulation::take (size_t n)
{
  auto &node = nodes[n];
  if (node.reads || node.all_taken || !may_begin (node))
    return;
  node.reads = true;
  ask (What::looked, n);
}

void ClusterSimulation::ask (What then, size_t n)
{
  const auto way = 0.5 * cluster.counter_latency;
  after (counter.served (now + way, 1) + way, then, n);
}

void ClusterSimulation::begin (size_t n)
{
  auto &node = nodes[n];
  node.begun++;
  node.passed = node.item + 1;
  if (node.has_frames || cluster.frames <= 0)
    return after (now + cluster.latency, What::asked_to_read, n);
  want (n);
}

// One makes the darks and flats, and the others wait for them.
void ClusterSimulation::want (size_t n)
{
  if (made == Frames::there)
    return after (opened (), What::asked_for_frames, n);
  if (made == Frames::in_the_making)
    return want_frames.push_back (n);
  made = Frames::in_the_making;
  after (now + cluster.latency, What::asked_for_frames, n);
}

void ClusterSimulation::has_frames (size_t n)
{
  if (made == Frames::in_the_making && nodes.size () > 1)
    return after (opened () + alone (cluster, cluster.write, scan.reduced_bytes), What::made_frames, n);
  made = Frames::there;
  nodes[n].has_frames = true;
  after (now + cluster.latency, What::asked_to_read, n);
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
  node.ended = true;
  write (n);
  take (n);
  end_if_all_is_done (node);
}

void ClusterSimulation::happened (const Event &event)
{
  auto &node = nodes[event.node];
  switch (event.what) {
  case What::started:
    node.reads = false;
    return take (event.node);
  case What::looked:
    node.reads = false;
    node.passed = next;
    if (next == items) {
      node.all_taken = true;
      return end_if_all_is_done (node);
    }
    if (!may_begin (node))
      return; // until it has ended one
    node.reads = true;
    node.item = next++;
    return ask (What::taken, event.node);
  case What::taken:
    return begin (event.node);
  case What::asked_for_frames:
    return frames.begin (now, event.node, made == Frames::there ? scan.reduced_bytes : frame_bytes (cluster, scan));
  case What::made_frames:
    made = Frames::there;
    for (const auto n : want_frames)
      after (opened (), What::asked_for_frames, n);
    return has_frames (event.node);
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
      has_frames (frames.end ());
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

std::vector<ClusterBound> bounds_of (const StatedCluster &cluster, const ClusterScan &scan, double nodes)
{
  const auto slices = static_cast<double> (scan.slices), items = static_cast<double> (items_of (cluster, scan));
  const auto at_work = std::min (nodes, items);
  const auto rows = slices + items * cluster.extra_rows, scan_bytes = rows * scan.projections * scan.row_bytes;
  const auto others = std::max (at_work - 1, 0.0), written = slices * scan.slice_bytes;
  const auto of_frames = frame_bytes (cluster, scan), reduced = cluster.frames > 0 ? scan.reduced_bytes : 0;
  const auto wait = alone (cluster, cluster.read, of_frames) +
                    (nodes > 1 ? alone (cluster, cluster.write, reduced) + others * reduced / cluster.read : 0);
  const auto start =
      (nodes > 1 ? cluster.launch : 0) + cluster.start + nodes * files_at_start (scan) / cluster.metadata;
  std::vector<ClusterBound> bounds{
      {"computing", "computing", (slices * scan.slice_seconds + items * cluster.item_time) / at_work},
      {"reading", "reading: the file system", (scan_bytes + of_frames + others * reduced) / cluster.read},
      {"reading", "reading: a node's link and requests", scan_bytes / at_work / read_speed_of_node (cluster, scan)},
      {"frames", "darks and flats, which one node makes for all", wait},
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

double planned_item (const StatedCluster &cluster, const ClusterScan &scan, int64_t nodes)
{
  if (cluster.item > 0)
    return cluster.item;
  const auto slices = static_cast<double> (scan.slices), step = cluster.step;
  const auto whole = [step] (double rows) { return std::ceil (rows / step) * step; };
  const auto comfortable = std::floor (slices / (items_of_node * static_cast<double> (nodes)));
  const auto item = std::min (whole (std::clamp (comfortable, 1.0, cluster.most_item)), slices);
  return std::min (item, whole (std::ceil (slices / std::ceil (slices / item)))); // of equal sizes
}

ClusterTime simulate_cluster (const StatedCluster &stated, const ClusterScan &scan, int64_t nodes)
{
  auto cluster = stated;
  cluster.item = planned_item (stated, scan, nodes);
  return {nodes, items_of (cluster, scan), static_cast<int64_t> (cluster.item),
          ClusterSimulation (cluster, scan, nodes).run (), bounds_of (cluster, scan, static_cast<double> (nodes))};
}

} // namespace sino::cli
