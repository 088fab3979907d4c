// SPDX-License-Identifier: LGPL-3.0-or-later
// A pass while it runs: the stages of each device, their threads and the work items that they have taken.
#pragma once
#include "base/monitor.hpp"
#include "pass/ends.hpp"
#include "pass/handout.hpp"
#include "plan/demand.hpp"
#include <mutex>
#include <thread>

namespace sino {

// A task that must not run twice at the same time takes the work items in their order. The order is the same for all
// such tasks, so the oldest work item can always go on and nothing waits in a circle.
struct Turn {
  size_t next = 0; // work item, by its place among those that are not finished
  Bell passed;
};

struct RunningStage {
  std::shared_ptr<Allotment> memory; // of the worker
  std::shared_ptr<Worker> worker;
  std::vector<std::unique_ptr<Channel>> channels; // per input port
  std::vector<std::unique_ptr<StageInput>> inputs;
  std::unique_ptr<StageOutput> output;
  std::shared_ptr<Turn> turn; // turn of a serial task
  std::unique_ptr<StageClock> clock;
  std::thread thread;
  bool ended = false; // the thread
};

// A work item that a replica has begun, until all of its stages are done with it.
struct Begun {
  const Item *item;
  size_t place; // of the item among those that are not finished
  size_t left;  // stages
  std::once_flag counted;
  std::vector<Rows> rows; // rows that each stage puts out
};

// The stages of one device and the work items that it took.
struct RunningReplica {
  const size_t number; // of the device in the run
  const Pass &pass;    // as this device runs it
  const Device &device;
  Monitor &monitor; // of its pools and channels; the run's where the device cannot be left out
  std::atomic<bool> dropped{false};
  std::vector<RunningStage> stages;
  std::deque<Begun> items;
};

struct RunningPass {
  const std::shared_ptr<RunContext> context;
  const Pass &pass;
  const bool goes_on; // without devices that fail
  std::deque<RunningReplica> replicas;
  std::vector<const Item *> open; // items that are not finished
  Handout handout;
  Bell handed_out;          // or ended
  bool asks_others = false; // a thread waits for the place of the next work item
  int running = 0;          // threads

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

  const std::string &title_of (size_t s) const { return context->net.node (pass.stages[s].node).title; }

  // The nth work item of a replica; a new one, where it should take one, when all it has are begun. Null: none is left,
  // and none can be returned.
  Begun *begin (RunningReplica &replica, size_t n);
  void ask_others (Monitor::Lock &lock, const RunningReplica &replica);
  void end (RunningReplica &replica, Begun &item);

  // Calls `body` for a stage: what it throws is the run's failure, or a reason to leave the device out.
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
  // Leaves the device of a stage out, and gives back what it has begun; false where the run cannot do without.
  bool drop (RunningReplica &replica, size_t s, const std::string &why);

  void start_threads (const std::shared_ptr<RunningPass> &self);
  void leave_behind ();
  void give_up () noexcept;

  void work (RunningReplica &replica, size_t s);
  void take_items (RunningReplica &replica, size_t s);
  void work_on (RunningReplica &replica, size_t s, Begun &item);
};

} // namespace sino
