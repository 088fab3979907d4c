// SPDX-License-Identifier: LGPL-3.0-or-later
// A run of a graph: freeze it, prepare (negotiate, plan), execute.
#pragma once
#include "base/error.hpp"
#include "device/energy/energy.hpp"
#include "graph/graph.hpp"
#include "pass/patience.hpp"
#include "run/options.hpp"
#include <atomic>
#include <chrono>
#include <functional>
#include <map>

namespace sino {

struct Plan;
struct RunState;

struct Progress {
  int64_t done = 0, total = 0;               // rows of work over all passes, weighted alike
  int64_t slices_done = 0, slices_total = 0; // rows that reached the sinks of the last passes
  double updates_done = 0;                   // voxel updates
  double seconds = 0;                        // since execute ()
};

struct TaskStatistics {
  std::string node;
  int64_t blocks_in = 0, blocks_out = 0;
  double busy = 0, waiting = 0; // seconds, all replicas and passes together
  double begin = 0, end = 0;    // when the first block came in and the last went out, seconds since execute ()
  int64_t bytes_in = 0, bytes_out = 0;
  int64_t queued = 0, room = 0; // blocks that wait for it now, and those that may
  std::map<std::string, int64_t> counters;
  std::vector<std::string> messages; // what people should know: "12 % of the detector pixels are dead"
};

struct DeviceStatistics {
  std::string id;
  int64_t items = 0, rows = 0; // of work items that it took, all passes together
  std::string failure;         // why it was left out; "": it was not
};

struct Message {
  std::string node, title; // the node's
  std::string text;
  bool warns; // else it says what was found
};

struct RunStatistics {
  double seconds = 0;
  double updates = 0; // voxel updates
  double voxels = 0;  // that were reconstructed
  bool running = false;
  std::string bottleneck;     // the node that was at work longest; "": none was
  double peak_memory = 0;     // resident bytes of the process at most
  double resident_memory = 0; // bytes now
  double planned_memory = 0;  // what the plan allowed for
  double memory_limit = 0;
  Energy energy; // no parts until the run has ended
  std::vector<TaskStatistics> tasks;
  std::vector<DeviceStatistics> devices;
  std::vector<Share> ranks; // of a run of several, as the first one knows; empty elsewhere
};

class SINO_VISIBLE Run
{
public:
  // Freezes the graph, which may change afterwards without effect on this run; no file or device is touched.
  Run (const Graph &graph, const RunOptions &options);
  // The same with options that are asked for by prepare (), as to find devices takes its time.
  Run (const Graph &graph, std::function<RunOptions ()> options);
  ~Run ();
  Run (const Run &) = delete;
  Run &operator= (const Run &) = delete;

  // For a run that will be executed, before prepare (): tells the tasks, and lets sources that learn only from what
  // comes how many projections there are take all of it. Throws what fails there, or Cancelled.
  void announce ();
  void gather ();
  // Tells those outside that the run has ended badly.
  void abandon (const std::string &why) noexcept;

  // Negotiates and plans, in a thread of its own, and waits for it. Throws what does not fit, or Cancelled. What
  // follows is known afterwards.
  void prepare ();

  const Plan &plan () const;
  // What `sinograph plan` prints, and the same as a Graphviz graph.
  std::string describe () const;
  std::string dot () const;
  // The same as data, of type a{sv}, which is the caller's: docs of sino_runner_plan () in api/sino-runner.h.
  GVariant *plan_variant () const;

  // Runs to the end in threads of its own and waits for them. Throws the first error, or Cancelled. Once only.
  // `watch`, if given, is called in this thread about ten times a second. Prepares first, if that was not done.
  void execute (const std::function<void (const Progress &)> &watch = {});

  // Ends prepare () or execute () soon, from any thread: waits that long for calls that do not return.
  void cancel (Patience::Time patience = Patience::usual);

  // Sets a live property of a node, by its name in the graph, while the run goes on. Throws where it is none. Any
  // thread.
  void set_live (const std::string &node, const std::string &property, const std::string &word);

  Progress progress () const;
  // Whether it was executed, if only in part.
  bool began () const;
  // What people should know so far, from negotiation on; more come during the run. Any thread.
  std::vector<Message> messages () const;
  RunStatistics statistics () const;

private:
  std::optional<Error> rehearse ();
  void rehearse_all ();
  void verify ();
  std::string compare_samples ();

  std::shared_ptr<RunState> state; // shared with a thread that prepares and cannot be waited for
};

} // namespace sino
