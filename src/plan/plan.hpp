// SPDX-License-Identifier: LGPL-3.0-or-later
// The plan of a run: a list of passes with their work items. It is made before any pixel is processed.
#pragma once
#include "plan/net.hpp"
#include <algorithm>

namespace sino {

// Sizes of a stage in the largest work item.
struct StageSizes {
  size_t block = 0;                  // bytes of the largest block of the output
  int64_t blocks = 0, item_rows = 0; // number of blocks, and number of rows, of the output
  // All work items begin at multiples of this number of rows; 0: they begin at row 0.
  int64_t item_step = 1;
  int64_t pool = 0;                             // blocks that the output may have in flight
  Device::Memory memory = Device::Memory::host; // memory in which these blocks lie
  int at_once = 1;                              // blocks that the worker may have under way
  int64_t ahead = 0;                            // rows of input that the worker works on while they are filled
  int requests = 1;                             // blocks that a source or a sink has in flight
  // Per input port: whether it needs copies, because the producer gives other rows or lanes. Graphs may have very many
  // stages; a vector of bool is larger.
  std::vector<char> copied;
};

// A part of a pass: a task, the reading or writing of a materialised stream, or a task's survey of a stream before the
// plan.
struct Stage {
  enum class Role { task, load, save, survey };

  Role role;
  int node;                                   // the task's node, or the node whose output is materialised
  std::vector<int> producers;                 // stage per input port, -1 where not connected
  std::vector<std::pair<int, int>> consumers; // (stage, port)
  std::shared_ptr<const Format> format;       // format of the output; for a target, of its input
  bool held = false; // the pool holds a whole work item, because a join waits for another input
  Layout layout;     // layout of the output on the devices of the pass
  StageSizes sizes;
  // In a survey, for each band: rows that the task estimates, and the rows of its input that it needs for these
  // (Estimates). Null: it does not estimate.
  struct Estimate {
    Rows rows, window;
  };
  std::shared_ptr<const std::vector<Estimate>> estimates;

  bool is_target () const { return consumers.empty (); }
};

struct Item {
  int index;
  Rows rows;             // rows of the targets
  bool finished = false; // an earlier run has finished it
};

using Devices = std::vector<std::shared_ptr<const Device>>;

// Expected time of a stage.
struct StageTime {
  double seconds = 0; // for all work items, if no other stage runs
  // Time of kernels on a device, measured / predicted, from an earlier run; `seconds` counts it. 0: none is known.
  double ratio = 0;
  double kernels = 0; // predicted seconds of these kernels, without `ratio`; 0: no ratio is kept for the stage
};

// Expected time of a pass, and what determines it.
struct Duration {
  double seconds = 0;            // the sum of:
  double busy = 0;               // time of the busiest resource,
  double ends = 0;               // time in which the first work item comes and the last one leaves,
  double fresh = 0;              // first touch of new memory
  const char *shared = "";       // the busiest resource: "the processors", or "" for a single stage
  double left = 0;               // time after the last projection of a source that waits for them; 0: there is none
  int busiest = 0;               // the busiest stage
  double longest = 0;            // the seconds of that stage, for all work items
  std::vector<StageTime> stages; // empty for surveys, whose time is not estimated

  // Factor that corrects the prediction for a stage.
  double ratio (size_t stage) const
  {
    return stage < stages.size () && stages[stage].ratio > 0 ? stages[stage].ratio : 1;
  }
};

// Sizes of the work items and blocks of a pass.
struct PassSizes {
  int64_t item_rows = 0, batch = 1; // rows of a work item, projections of a block
  int depth = 2;                    // work items or blocks that pools hold
  int most_requests = 1;            // most requests of a source or a sink
  int most_at_once = 1;             // blocks that a stage may have under way
  int64_t most_ahead = 0;           // rows on which a stage may work while they are filled
  std::vector<Item> telling;        // the work items that determine the sizes of stages
};

// Peak memory of a pass on its devices, without the base, in bytes.
struct PassMemory {
  double host = 0;
  double device = 0, device_excess = 0; // memory that a device works in, and the part above its limit
};

// Bytes that all work items of a pass read, compute and write, and the resulting cost.
struct PassCost {
  struct Stream {
    double moved = 0, read = 0; // bytes of a stage's output (a target: its input), and bytes that a source reads
  };

  std::vector<Stream> streams; // streams, one for each stage
  double read = 0, needed = 0; // bytes read from storage, and bytes of the rows that were needed at least once
  double repeats = 1;          // average number of times that a row is read or computed
  double total = 0;            // bytes moved, weighted; strategies are compared by it
};

// A pass on a group of devices that are alike. `beside` has the same pass for other devices, with other layouts, blocks
// and pools. Each step of planning adds its values: the graph is cut, laid out for the devices, sized, and timed.
struct Pass {
  int number = 0;            // number of the pass in the plan, from 1; 0: a survey before it
  std::vector<Stage> stages; // producers before consumers
  bool whole = false;        // a target takes whole projections: one work item with all rows

  std::shared_ptr<const Devices> devices; // the devices that run the pass in this way
  std::vector<Pass> beside;               // the same stages and work items on the other devices
  // Whether these devices include the run's first one, which alone runs serial tasks.
  bool leads = true;
  int64_t row_step = 1;
  int64_t cut_step = 1; // work items are cut at its multiples; a multiple of the row steps of all devices

  PassSizes sizes;
  std::vector<Item> items;
  std::vector<Rows> bands; // of a survey that skips the other rows of its work items; empty: it sees all
  PassMemory memory;
  PassCost cost;

  Duration expected;
  struct {
    int64_t rows = 0;
    double seconds = 0;
  } plain; // rows of a work item of the usual size, and the expected time with them

  Stage &stage (int s) { return stages[static_cast<size_t> (s)]; }
  const Stage &stage (int s) const { return stages[static_cast<size_t> (s)]; }

  // Whether all work items are finished.
  bool over () const { return std::ranges::all_of (items, &Item::finished); }
  // The pass as it runs on a given device.
  const Pass &on (const Device &device) const
  {
    const auto has = [&device] (const auto &own) { return own.get () == &device; };
    for (const auto &other : beside)
      if (std::ranges::any_of (*other.devices, has))
        return other;
    return *this;
  }
  // Calls visit (pass) for this pass and for those beside it.
  template <class Visit> void each (Visit visit) const
  {
    visit (*this);
    for (const auto &other : beside)
      visit (other);
  }
  // Peak of all devices together, without the base.
  double all_memory () const
  {
    double sum = 0;
    each ([&sum] (const Pass &pass) { sum += pass.memory.host; });
    return sum;
  }
  double most_device_excess () const
  {
    double most = 0;
    each ([&most] (const Pass &pass) { most = std::max (most, pass.memory.device_excess); });
    return most;
  }

  // Whether progress counts the slices that a stage takes. If one stream has several sinks, only the first is counted.
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

// A materialised stream: kept between passes.
struct PlannedStore {
  int node;
  bool in_memory;
  double bytes;
};

// Part of the base for memory that grows during any run: thread stacks, allocator arenas, tables of libraries, and the
// compilers of GPU drivers, which take 10 to 36 MiB to build a program for the first time.
inline double allowance_of (std::span<const std::shared_ptr<const Device>> devices)
{
  constexpr double mib = 1024 * 1024;
  const bool compiles = std::ranges::any_of (devices, [] (const auto &device) { return device->own_memory () > 0; });
  return (compiles ? 64 : 24) * mib;
}

constexpr int all_lanes = 32;

struct Plan {
  std::vector<Pass> passes;
  std::vector<PlannedStore> stores;
  double base = 0, limit = 0; // resident bytes before the run plus the allowance; limit from --memory
  double peak = 0;            // base included
  double cost = 0;
  int most_lanes = all_lanes; // most lanes that tasks may ask for, if fewer give the same bits
};

struct PlanInput {
  const Net &net;
  std::span<const std::shared_ptr<const Device>> devices; // one replica each
  int threads;
  double base, limit;
  int most_lanes = all_lanes;
  bool read_ahead = true; // sources read blocks before they are needed
  int ranks = 1;          // processes that share the work items

  const Device &device () const { return *devices.front (); }
  // This input, with the devices of one pass only.
  PlanInput on (const Pass &pass) const
  {
    return {net, *pass.devices, threads, base, limit, most_lanes, read_ahead, ranks};
  }
};

} // namespace sino
