// SPDX-License-Identifier: LGPL-3.0-or-later
// What a run will do: a list of passes over work items. Made before any pixel is touched.
#pragma once
#include "run/net.hpp"
#include "run/run.hpp"

namespace sino {

// What takes part in a pass: a task, or the reading or writing of a materialised stream.
struct Stage {
  enum class Role { task, load, save };

  Role role;
  int node;                                   // the task's, or the one whose output is materialised
  std::vector<int> producers;                 // stage per input port, -1 where not connected
  std::vector<std::pair<int, int>> consumers; // (stage, port)
  std::shared_ptr<const Format> format;       // format of the output; a target's: of what it takes
  Layout layout;

  // Settled when the pass is sized:
  size_t block = 0;                             // bytes of its largest output block
  int64_t pool = 0;                             // blocks that its output may have in flight
  Device::Memory memory = Device::Memory::host; // where they lie, on the first device
  bool held = false; // the pool holds a whole work item, because a join waits for another input
  size_t scratch = 0;

  bool is_target () const { return consumers.empty (); }
};

struct Item {
  int index;
  Rows rows; // rows of the targets
};

struct Pass {
  std::vector<Stage> stages; // producers before consumers
  bool whole = false;        // a target takes whole projections: one work item with all rows
  int64_t item_rows = 0, batch = 1, row_step = 1;
  std::vector<Item> items;

  size_t crop = 0;   // bytes for consumers that need fewer rows, or fewer lanes, than their producer gives another
  double memory = 0; // peak of this pass, without the base
  double device_memory = 0, device_excess = 0; // peak of the device's own memory, and the part that it does not have
  double read = 0, needed = 0; // bytes read from storage, and bytes of the rows that were needed at least once
  double cost = 0;             // bytes moved, weighted; strategies are compared by it
};

// A stream that is kept between passes.
struct Store {
  int node;
  bool in_memory;
  double bytes;
};

// Counted to the base for what grows during a run whatever the scan: thread stacks, allocator arenas, tables of
// libraries.
constexpr double allowance = 24.0 * 1024 * 1024;

struct Plan {
  std::vector<Pass> passes;
  std::vector<Store> stores;
  double base = 0, limit = 0; // resident bytes before the run and the allowance; what --memory allows
  double peak = 0;            // base included
  double cost = 0;
};

struct PlanInput {
  const Net &net;
  std::span<const std::shared_ptr<const Device>> devices; // a replica each
  int threads;
  double base, limit;

  const Device &device () const { return *devices.front (); } // its kind decides layouts
};

// The cheapest plan that stays below the limit; throws SINO_ERROR_MEMORY that says by how much none does.
Plan make_plan (const PlanInput &input);

// --- parts of the planner, used by the run as well ---

// Rows that each stage puts out for a work item (targets: rows they take).
std::vector<Rows> demanded_rows (const Net &net, const Pass &pass, const Item &item);

// Rows that consumer stage `c` needs from port `port` when it puts out `rows`.
Rows rows_needed (const Net &net, const Stage &consumer, size_t port, const Format &input, const Rows &rows);

// How consumer stage `c` gets a stream that its producer puts out in some layout.
Layout layout_taken (const Net &net, const Stage &consumer, Layout given);

// Lanes of the sinograms that a stage gets.
int lanes_taken (const Net &net, const Pass &pass, const Stage &stage);

// Whether a stage computes on the device.
bool on_device (const Net &net, const Stage &stage, const Device &device);

// Where the blocks that a stage puts out lie on a device.
Device::Memory memory_of (const Net &net, const Pass &pass, const Stage &stage, const Device &device);

// The blocks of a stage's output for a work item, in order.
std::vector<Region> blocks_of (const Format &format, const Rows &rows, int64_t batch, int64_t row_step);

// Their number and the largest of them, without listing them.
struct BlockCount {
  int64_t number;
  Region largest;
};
BlockCount count_blocks (const Format &format, const Rows &rows, int64_t batch, int64_t row_step);

// Finds item_rows, batch and pools that fit in `room` bytes; false (and the least bytes possible in pass.memory) when
// none do.
bool size_pass (const PlanInput &input, Pass &pass, double room, const std::vector<Store> &stores);

// What it costs to read or compute some rows of a stage's output, and at least to keep all of a node's. Bytes moved,
// weighted by what they cost: reading is 1, a task's output stands for its arithmetic.
double cost_of_output (const Net &net, const Stage &stage, const Rows &rows);
double least_store_cost (const Net &net, int node);

std::string describe_plan (const PlanInput &input, const Plan &plan);
std::string dot_plan (const PlanInput &input, const Plan &plan);

} // namespace sino
