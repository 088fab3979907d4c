// SPDX-License-Identifier: LGPL-3.0-or-later
// What the threads of a run share.
#pragma once
#include "pass/patience.hpp"
#include "pass/samples.hpp"
#include "pass/store.hpp"
#include "pass/trace.hpp"
#include "plan/plan.hpp"
#include "ranks/cluster.hpp"
#include <deque>
#include <exception>
#include <set>
#include <thread>

namespace sino {

// What workers report while they run. Written by their threads, read by anyone.
struct Meter {
  std::atomic<int64_t> blocks_in{0}, blocks_out{0};
  std::atomic<int64_t> bytes_in{0}, bytes_out{0};
  std::atomic<int64_t> queued{0}, room{0};       // blocks that wait for it, and those that may, of all passes so far
  std::atomic<int64_t> busy{0}, waiting{0};      // nanoseconds
  std::atomic<int64_t> first_in{0}, last_out{0}; // blocks: nanoseconds of the clock; 0: none yet
  Counters counters;
  Messages messages;
};

// What a device did.
struct DeviceMeter {
  std::atomic<int64_t> items{0}, rows{0}; // of work items, of all passes
  std::string failure;                    // why it was left out; "": it was not
  void add (const Rows &item)
  {
    items++;
    rows += item.size ();
  }
};

struct Meters {
  std::deque<Meter> nodes;              // one per node of the net
  std::deque<DeviceMeter> devices;      // one per device of the run
  std::atomic<int64_t> bytes_taken{0};  // bytes that targets took
  std::atomic<int64_t> slices_taken{0}; // rows of slices taken by sinks
  std::atomic<double> updates{0};       // updates of voxels
  std::atomic<double> voxels{0};        // that were reconstructed

  Meter &node (int n) { return nodes[static_cast<size_t> (n)]; }
  const Meter &node (int n) const { return nodes[static_cast<size_t> (n)]; }
};

// All that the threads of a run touch. They share its ownership, so that a thread stuck in a call that does not return
// can be left behind.
struct RunContext {
  // First, as the last blocks of the rest go back to their pools through them: the run's, and one for each device that
  // can be left out.
  Monitor monitor;
  std::deque<Monitor> device_monitors;
  Patience patience; // how long calls may take that do not return
  Net net;
  Plan plan;
  std::deque<Pass> surveys; // passes before the plan
  std::unique_ptr<Cpu> cpu;
  std::vector<std::shared_ptr<const Device>> devices;
  Meters meters;
  std::map<int, std::unique_ptr<Store>> stores; // by node
  SamplesOfNodes samples;                       // of slices that sinks take
  std::unique_ptr<Trace> trace;                 // null: not wanted
  bool goes_on = false;                         // without devices that fail, as long as there are others
  std::atomic<double> watchdog{0};              // seconds without progress after which the run fails; 0: it does not

  bool read_ahead = true;           // sources read blocks before they are wanted
  std::shared_ptr<Cluster> cluster; // null: this process works alone
  std::set<int> joined;             // sinks that all ranks have opened

  PlanInput plan_input () const
  {
    return {net,        devices,         cpu->threads (), plan.base,
            plan.limit, plan.most_lanes, read_ahead,      cluster ? cluster->place ().ranks : 1};
  }

  // Sources that take all of their scan before there is a net.
  struct GatheringSource {
    std::string title;
    std::shared_ptr<Task> task;
  };
  std::vector<GatheringSource> gathering;
  std::atomic<bool> net_complete{false};
  // Whether a thread wakes tasks.
  bool waking () const { return is_waking; }

  RunContext () = default;
  ~RunContext ();
  RunContext (const RunContext &) = delete;
  RunContext &operator= (const RunContext &) = delete;

  // Says where the thread of attend () (pass/attend.hpp) is, which may not return from there; throws Cancelled.
  void set_place (const std::string &where);
  std::string place () const;

  // Ends every wait of the run.
  void cancel () noexcept;
  // A monitor for a device alone, which the run's end ends, too.
  Monitor &add_monitor ();
  // What the monitors have heard of progress.
  int64_t beats () const;

  // Leaves a device out from now on, because of what a node met there.
  void leave_out (size_t device, int node, const std::string &why);
  // Why it was left out, or "".
  std::string failure_of (size_t device) const;

  // Samples of what a node takes; null: none are wanted.
  Samples *samples_of (int node) const;

  // The first failure; cancels the run.
  void fail_with (std::exception_ptr what) noexcept;
  // The same of a node, whose title it gets.
  void fail_in (const std::string &title, std::exception_ptr what) noexcept;
  std::exception_ptr failure () const;
  // Calls `body` in a thread of the run's: what it throws is the run's failure.
  template <class Body> void guard (Body body) noexcept
  {
    try {
      body ();
    } catch (const Cancelled &) {
      cancel ();
    } catch (...) {
      fail_with (std::current_exception ());
    }
  }

private:
  friend void wake_if_cancelled (const std::shared_ptr<RunContext> &context);
  friend void end_waking (const std::shared_ptr<RunContext> &context);

  bool woken = false; // was begun
  std::atomic<bool> is_waking{false};
  std::thread waker;

  mutable std::mutex mutex;
  std::exception_ptr first;
  std::string place_;
};

// Once the run was cancelled or has failed: unlocks its tasks, in a thread of its own, as functions from outside may
// not return.
void wake_if_cancelled (const std::shared_ptr<RunContext> &context);
// Waits for the thread that does it, or leaves it behind where it has not ended.
void end_waking (const std::shared_ptr<RunContext> &context);
constexpr const char *unlock_of_a_task = "'unlock' of a task"; // what did not return then

} // namespace sino
