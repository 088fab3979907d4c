// SPDX-License-Identifier: LGPL-3.0-or-later
// A run of a graph: freeze it, prepare (negotiate, plan), execute.
#pragma once
#include "base/named-error.hpp"
#include "device/energy/energy.hpp"
#include "graph/graph.hpp"
#include "pass/patience.hpp"
#include "run/options.hpp"
#include <atomic>
#include <chrono>
#include <functional>
#include <map>

namespace sino {

struct NewSlice;
struct Plan;
struct RunState;

struct Progress {
  int64_t done = 0, total = 0;               // rows of work over all passes, equally weighted
  int64_t slices_done = 0, slices_total = 0; // rows that reached the sinks of the last passes
  // Projections that have come from outside the run, and of the scan; 0: none have to come, or their number is unknown.
  int64_t frames_done = 0, frames_total = 0;
  double updates_done = 0; // voxel updates
  double seconds = 0;      // time since the begin of execute (); before it: since that of gather ()

  // Finished part of the work, from 0 to 1.
  double fraction () const
  {
    return total > 0 ? std::min (static_cast<double> (done) / static_cast<double> (total), 1.0) : 0;
  }
};

struct TaskStatistics {
  std::string node;
  int64_t blocks_in = 0, blocks_out = 0;
  double busy = 0, waiting = 0; // seconds, all replicas and passes together
  double begin = 0, end = 0;    // first block in and last block out, seconds since execute ()
  int64_t bytes_in = 0, bytes_out = 0;
  int64_t queued = 0, room = 0; // blocks that are now in its input queues, and the capacity of these queues
  std::map<std::string, int64_t> counters;
  std::vector<std::string> messages; // messages for people: "12 % of the detector pixels are dead"
};

struct DeviceStatistics {
  std::string id;
  int64_t items = 0, rows = 0; // work items that it took and their rows, all passes together
  std::string failure;         // reason why it was left out; "": it was not
};

struct Message {
  std::string node, title; // name and title of the node; no name: the message is about the run
  std::string text;
  bool warns; // a warning; otherwise a finding
};

struct RunStatistics {
  double seconds = 0;
  double updates = 0; // voxel updates
  double voxels = 0;  // reconstructed voxels
  bool running = false;
  int64_t frames_done = 0, frames_total = 0; // those of Progress
  std::string bottleneck;                    // the node that worked longest; "": none
  double peak_memory = 0;                    // peak of the resident bytes of the process
  double resident_memory = 0;                // resident bytes now
  double planned_memory = 0;                 // bytes that the plan allows for
  double memory_limit = 0;
  Energy energy; // empty until the run has ended
  std::vector<TaskStatistics> tasks;
  std::vector<DeviceStatistics> devices;
  // Work of each rank, if there are several, as far as the first rank knows; empty in other ranks.
  std::vector<Share> ranks;
};

class SINO_VISIBLE Run : NoCopy
{
public:
  // Freezes the graph, which may change afterwards without effect on this run; no file or device is touched.
  Run (const Graph &graph, const RunOptions &options);
  // The same with options that prepare () asks for, because finding devices takes time.
  Run (const Graph &graph, std::function<RunOptions ()> options);
  ~Run ();

  // Called before prepare () if the run will be executed. announce () informs the tasks. gather () lets sources that do
  // not know the number of projections in advance take all of them. Throws their errors, or Cancelled.
  void announce ();
  void gather (const std::function<void (const Progress &)> &watch = {});
  // Tells the embedding program that the run has failed.
  void abandon (const std::string &why) noexcept;

  // Negotiates and plans in a thread of its own, and waits for it. Throws if something does not fit, or Cancelled. The
  // functions below need it.
  void prepare ();

  const Plan &plan () const;
  // The text that `sinograph plan` prints, and the plan as a Graphviz graph.
  std::string describe () const;
  std::string dot () const;
  // The plan as data of type a{sv}, which the caller owns: docs of sino_runner_plan () in api/sino-runner.h.
  GVariant *plan_variant () const;

  // Runs to the end in its own threads and waits for them. Throws the first error, or Cancelled. Can be called once.
  // `watch`, if given, is called in this thread about ten times a second. Calls prepare () first if that was not done.
  void execute (const std::function<void (const Progress &)> &watch = {});

  // Ends prepare () or execute () soon, from any thread; calls that do not return are left behind after `patience`.
  void cancel (Patience::Time patience = Patience::usual);

  // Sets a live property of a node, by its name in the graph, during the run. Throws if there is no such property. Any
  // thread.
  void set_live (const std::string &node, const std::string &property, const std::string &word);

  // Stops its sources before their next block, and lets them go on; any thread. Can be called before execute ().
  void pause ();
  void resume ();
  bool paused () const;
  // After prepare (): whether its sources can wait: a detector or a program that gives frames does not.
  bool can_pause () const;

  // The newest slice that came to a sink since the last call of wish_slice () for it, by the name of its node; null:
  // there is none. Any thread, after prepare ().
  std::shared_ptr<const NewSlice> newest_slice (const std::string &node) const;
  void wish_slice (const std::string &node);
  // Names of sinks that take slices.
  std::vector<std::string> slice_sinks () const;

  // The frozen graph.
  const Graph &graph () const;

  Progress progress () const;
  // Whether execute () has begun.
  bool began () const;
  // All messages since negotiation; the run may add more. Any thread.
  std::vector<Message> messages () const;
  RunStatistics statistics () const;

private:
  std::optional<NamedError> rehearse ();
  void rehearse_all ();
  void verify ();
  std::string compare_samples ();
  void write_report (const char *end, const std::string &error) const;
  void report_failure (const char *end, const std::string &error) const noexcept;

  std::shared_ptr<RunState> state; // shared with a thread that prepares and cannot be waited for
};

} // namespace sino
