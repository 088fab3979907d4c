// SPDX-License-Identifier: LGPL-3.0-or-later
// What a run will do: a list of passes over work items. Made before any pixel is touched.
#pragma once
#include "plan/net.hpp"
#include <algorithm>

namespace sino {

// What takes part in a pass: a task, the reading or writing of a materialised stream, or a task's look at a stream
// before the plan.
struct Stage {
  enum class Role { task, load, save, survey };

  Role role;
  int node;                                   // the task's, or the one whose output is materialised
  std::vector<int> producers;                 // stage per input port, -1 where not connected
  std::vector<std::pair<int, int>> consumers; // (stage, port)
  std::shared_ptr<const Format> format;       // format of the output; a target's: of what it takes
  Layout layout;

  // Settled when the pass is sized:
  size_t block = 0;                             // bytes of its largest output block
  int64_t pool = 0;                             // blocks that its output may have in flight
  Device::Memory memory = Device::Memory::host; // where they lie
  bool held = false;                 // the pool holds a whole work item, because a join waits for another input
  int64_t blocks = 0, item_rows = 0; // of its output, in the largest work item
  int64_t item_step = 1;             // that rows of all work items begin at multiples of; 0: at the first
  int at_once = 1;                   // blocks that its worker may have under way
  double moved = 0, read = 0;        // bytes of its output (a target: its input) in all work items; a source's reads
  int requests = 1;                  // blocks that a source or a sink has in flight
  std::vector<bool> copied;          // per input port: the producer gives other rows or lanes, to another consumer

  bool is_target () const { return consumers.empty (); }
};

struct Item {
  int index;
  Rows rows;             // rows of the targets
  bool finished = false; // by an earlier run
};

using Devices = std::vector<std::shared_ptr<const Device>>;

// How long a pass will take, and why.
struct Duration {
  double seconds = 0;      // of it:
  double busy = 0;         // what is busy longest,
  double ends = 0;         // the rest of it while the first work item comes and the last one goes,
  double fresh = 0;        // and memory that is touched for the first time
  const char *shared = ""; // what is busy longest: "the processors", or "" for the busiest stage
  int busiest = 0;         // stage
  double longest = 0;      // its seconds, for all work items
};

// A pass as some devices run it that are alike. Others run it beside them, with other layouts, blocks and pools.
struct Pass {
  int number = 0;            // in the plan, from 1 on; 0: a survey before it
  std::vector<Stage> stages; // producers before consumers
  bool whole = false;        // a target takes whole projections: one work item with all rows
  int64_t item_rows = 0, batch = 1, row_step = 1;
  int64_t cut_step = 1;  // row steps of all devices go into it: work items are cut at its multiples
  int depth = 2;         // work items or blocks that pools hold
  int most_requests = 1; // of a source or a sink
  int most_at_once = 1;  // blocks that a stage may have under way
  std::vector<Item> items;
  std::vector<Item> telling; // of them: those that decide what is held

  std::shared_ptr<const Devices> devices; // that run it so
  std::vector<Pass> beside;               // as others run it: the same stages and work items
  bool leads = true; // has the run's first device, where tasks are at work that must not run twice at a time

  double memory = 0;                           // peak of these devices, without the base
  double device_memory = 0, device_excess = 0; // peak of what a device works in, and the part that it may not have
  double read = 0, needed = 0; // bytes read from storage, and bytes of the rows that were needed at least once
  double repeats = 1;          // how often the rows of its streams are read or computed, on average
  double cost = 0;             // bytes moved, weighted; strategies are compared by it

  Duration expected;
  int64_t plain_rows = 0; // rows of a work item of comfortable size, and how long those would take
  double plain_seconds = 0;

  Stage &stage (int s) { return stages[static_cast<size_t> (s)]; }
  const Stage &stage (int s) const { return stages[static_cast<size_t> (s)]; }

  // Whether nothing is left to do.
  bool over () const { return std::ranges::all_of (items, &Item::finished); }
  // The pass as a device of the run has it.
  const Pass &on (const Device &device) const
  {
    const auto has = [&device] (const auto &own) { return own.get () == &device; };
    for (const auto &other : beside)
      if (std::ranges::any_of (*other.devices, has))
        return other;
    return *this;
  }
  // Calls visit (pass) for this one and those beside it.
  template <class Visit> void each (Visit visit) const
  {
    visit (*this);
    for (const auto &other : beside)
      visit (other);
  }
  // Peak of all devices together, without the base; the most that one of them lacks.
  double all_memory () const
  {
    double sum = 0;
    each ([&sum] (const Pass &pass) { sum += pass.memory; });
    return sum;
  }
  double most_device_excess () const
  {
    double most = 0;
    each ([&most] (const Pass &pass) { most = std::max (most, pass.device_excess); });
    return most;
  }

  // Whether progress counts the slices that a stage takes: of several sinks of one stream it does the first's.
  bool counts_slices (const Stage &stage) const
  {
    const auto is_sink = [] (const Stage &s) {
      return s.is_target () && s.role == Stage::Role::task && s.format->kind () == Kind::slices;
    };
    return is_sink (stage) && &stage == &*std::ranges::find_if (stages, [&] (const Stage &other) {
             return is_sink (other) && other.producers == stage.producers;
           });
  }
};

// A stream that is materialised: kept between passes.
struct PlannedStore {
  int node;
  bool in_memory;
  double bytes;
};

// Counted to the base for what grows during a run whatever the scan: thread stacks, allocator arenas, tables of
// libraries; and the compilers of GPUs' drivers, which take 10 to 36 MiB where a program is built for the first time.
inline double allowance_of (std::span<const std::shared_ptr<const Device>> devices)
{
  constexpr double mib = 1024 * 1024;
  const bool compiles =
      std::any_of (devices.begin (), devices.end (), [] (const auto &device) { return device->own_memory () > 0; });
  return (compiles ? 64 : 24) * mib;
}

constexpr int all_lanes = 32;

struct Plan {
  std::vector<Pass> passes;
  std::vector<PlannedStore> stores;
  double base = 0, limit = 0; // resident bytes before the run and the allowance; what --memory allows
  double peak = 0;            // base included
  double cost = 0;
  int most_lanes = all_lanes; // that tasks may want, where fewer give the same bits
};

struct PlanInput {
  const Net &net;
  std::span<const std::shared_ptr<const Device>> devices; // a replica each
  int threads;
  double base, limit;
  int most_lanes = all_lanes;
  bool read_ahead = true; // sources read blocks before they are wanted
  int ranks = 1;          // processes that share the work items

  const Device &device () const { return *devices.front (); }
  // The same for the devices that run a pass alike.
  PlanInput on (const Pass &pass) const
  {
    return {net, *pass.devices, threads, base, limit, most_lanes, read_ahead, ranks};
  }
};

} // namespace sino
