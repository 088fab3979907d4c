// SPDX-License-Identifier: LGPL-3.0-or-later
// A pass while it runs: the stages of each device, their threads and the work items that they have begun.
#pragma once
#include "base/monitor.hpp"
#include "pass/ends.hpp"
#include "pass/handout.hpp"
#include "plan/demand.hpp"
#include <mutex>
#include <thread>

namespace sino {

// Turn of a serial task, which must not run twice at the same time and takes the work items in order. The order is the
// same for all serial tasks, so the oldest work item can always continue and no wait is circular.
struct Turn {
  size_t next = 0; // work item: its index among the unfinished ones
  Bell passed;
};

struct RunningStage {
  std::shared_ptr<Allotment> memory; // memory of the worker
  std::shared_ptr<Worker> worker;
  std::vector<std::unique_ptr<Channel>> channels; // per input port
  std::vector<std::unique_ptr<StageInput>> inputs;
  std::unique_ptr<StageOutput> output;
  std::shared_ptr<Turn> turn; // turn of a serial task
  std::unique_ptr<StageClock> clock;
  std::thread thread;
  bool ended = false; // the thread has ended
};

// A work item that a replica has begun, until all of its stages are done with it.
struct Begun {
  const Item *item;
  size_t place; // index of the item among the unfinished ones
  size_t left;  // number of stages that have not finished it
  std::once_flag counted;
  std::vector<Rows> rows;              // rows that each stage outputs
  std::vector<std::vector<Rows>> seen; // those of them that a survey needs; empty: all
};

// The stages of one device and the work items that it took.
struct RunningReplica {
  const size_t number; // index of the device in the run
  const Pass &pass;    // the pass in the form for this device
  const Device &device;
  Monitor &monitor; // monitor of the replica's pools and channels; the run's monitor if the device cannot be left out
  std::atomic<bool> dropped{false};
  std::vector<RunningStage> stages;
  std::deque<Begun> items;
};

struct RunningPass {
  const std::shared_ptr<RunContext> context;
  const Pass &pass;
  const bool goes_on; // continues without devices that fail
  std::deque<RunningReplica> replicas;
  std::vector<const Item *> open; // items that are not finished
  Handout handout;
  Bell handed_out;          // signals that an item was handed out or ended
  bool asks_others = false; // a thread waits for the place of the next work item
  int threads = 0;          // number of running threads

  RunningPass (std::shared_ptr<RunContext> g, const Pass &p);
  bool can_go_on () const;
  bool has_device_after (size_t device) const;
  void add_replica (size_t device);
  void build (RunningReplica &replica);
  Layout taken (const Pass &own, const Stage &stage, int producer) const
  {
    return layout_taken (context->net, stage, own.stage (producer).layout);
  }
  std::shared_ptr<Worker> make_worker (RunningReplica &replica, size_t s, std::shared_ptr<Allotment> &memory);
  Trace::Lane *trace_lane (const std::string &node, const Stage &stage, const Device &device) const;

  const NetNode &node_of (size_t s) const { return context->net.node (pass.stages[s].node); }
  const std::string &title_of (size_t s) const { return node_of (s).title; }

  // The nth work item of a replica. If the replica has begun fewer, takes a new one when it should. Null: none is left,
  // and none can be returned by others.
  Begun *begin (RunningReplica &replica, size_t n);
  void ask_others (Monitor::Lock &lock, const RunningReplica &replica);
  void end (RunningReplica &replica, Begun &item);

  // Calls `body` for a stage. What it throws is the run's failure, or the reason to leave the device out.
  template <class Body> void guard (RunningReplica &replica, size_t s, Body body) noexcept
  {
    context->guard ([&] {
      try {
        body ();
      } catch (const Cancelled &) {
        if (!replica.dropped)
          throw;
      } catch (const Error &error) {
        if (error.code != SINO_ERROR_DEVICE || !drop (replica, s, error.what ()))
          throw;
      }
    });
  }
  // Leaves the device of a stage out and returns the items that it has begun; false if the run cannot continue without
  // it.
  bool drop (RunningReplica &replica, size_t s, const std::string &why);

  void start_threads (const std::shared_ptr<RunningPass> &self);
  void leave_behind ();
  void give_up () noexcept;

  void work (RunningReplica &replica, size_t s);
  void take_items (RunningReplica &replica, size_t s);
  void work_on (RunningReplica &replica, size_t s, Begun &item);
};

} // namespace sino
