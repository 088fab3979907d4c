// SPDX-License-Identifier: LGPL-3.0-or-later
// Data that the threads of a run share.
#pragma once
#include "pass/gate.hpp"
#include "pass/newest.hpp"
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

// Statistics of a worker while it runs. Written by its threads, read by any thread.
struct Meter {
  std::atomic<int64_t> blocks_in{0}, blocks_out{0};
  std::atomic<int64_t> bytes_in{0}, bytes_out{0};
  std::atomic<int64_t> queued{0},
      room{0}; // blocks in its input queues, and the capacity of these queues; in all passes so far
  std::atomic<int64_t> busy{0}, waiting{0}; // nanoseconds
  std::atomic<int64_t> first_in{0},
      last_out{0}; // time of the first block in and the last block out, in nanoseconds of the clock; 0: none yet
  Counters counters;
  Messages messages;
  Newest newest; // of a sink that takes slices
};

// Statistics of a device.
struct DeviceMeter {
  std::atomic<int64_t> items{0}, rows{0}; // work items and their rows, in all passes
  std::string failure;                    // reason why the device was left out; "": it was not
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
  std::atomic<double> voxels{0};        // voxels that were reconstructed

  Meter &node (int n) { return nodes[static_cast<size_t> (n)]; }
  const Meter &node (int n) const { return nodes[static_cast<size_t> (n)]; }
};

// All data that the threads of a run touch. Every thread shares its ownership, so a thread that is stuck in a call can
// be left behind.
struct RunContext {
  // The monitor of the run, and one for each device that can be left out. They are the first members, because at
  // destruction blocks in later members return to their pools through them.
  Monitor monitor;
  std::deque<Monitor> device_monitors;
  Gate gate{monitor}; // for sources
  Patience patience;  // limit for waiting for calls that do not return
  Net net;
  Plan plan;
  std::deque<Pass> surveys; // passes of surveys, before the plan
  std::unique_ptr<Cpu> cpu;
  std::vector<std::shared_ptr<const Device>> devices;
  Meters meters;
  std::map<int, std::unique_ptr<Store>> stores; // streams that are kept between passes, by node
  SamplesOfNodes samples;                       // slices that sinks take, kept for verification
  std::unique_ptr<Trace> trace;                 // null: not wanted
  bool goes_on = false;                         // continues without devices that fail, as long as others work
  std::atomic<double> watchdog{0}; // seconds without progress after which Quiet lets the run fail; 0: never

  bool read_ahead = true;           // sources read blocks before they are wanted
  std::shared_ptr<Cluster> cluster; // null: this process works alone
  std::set<int> joined;             // sinks that all ranks have opened

  PlanInput plan_input () const
  {
    return {net,        devices,         cpu->threads (), plan.base,
            plan.limit, plan.most_lanes, read_ahead,      cluster ? cluster->place ().ranks : 1};
  }

  // A source that takes its whole scan before the net is built.
  struct GatheringSource {
    std::string name, title;
    std::shared_ptr<Task> task;
  };
  std::vector<GatheringSource> gathering;
  std::atomic<bool> net_complete{false};
  // Whether a thread that unlocks tasks was started.
  bool waking () const { return is_waking; }

  ~RunContext ();

  // Records where the thread of attend () (pass/attend.hpp) is, for messages if it does not return; throws Cancelled.
  void set_place (const std::string &where);
  std::string place () const;

  // Ends every wait of the run.
  void cancel () noexcept;
  // Adds a monitor for one device. The end of the run also ends the waits of this monitor.
  Monitor &add_monitor ();
  // Number of signs of progress that the monitors have counted.
  int64_t beats () const;

  // Stops using a device, because of an error in a node there.
  void leave_out (size_t device, int node, const std::string &why);
  // Reason why the device was left out, or "".
  std::string failure_of (size_t device) const;

  // Slices of a node that are kept for verification; null: none.
  Samples *samples_of (int node) const;

  // Records the first failure and cancels the run.
  void fail_with (std::exception_ptr what) noexcept;
  std::exception_ptr failure () const;
  // Calls `body` in a thread of the run. What it throws becomes the run's failure.
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

  bool woken = false; // unlocking has begun
  std::atomic<bool> is_waking{false};
  std::thread waker;

  mutable std::mutex mutex;
  std::exception_ptr first;
  std::string place_;
};

// If the run was cancelled or has failed: unlocks its tasks in a separate thread, because functions of tasks from
// outside may not return.
void wake_if_cancelled (const std::shared_ptr<RunContext> &context);
// Waits for that thread, or leaves it behind if it does not end.
void end_waking (const std::shared_ptr<RunContext> &context);
constexpr const char *unlock_of_a_task = "'unlock' of a task"; // place for the message if it does not return

} // namespace sino
