// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs one task without graph and scheduler: blocks in, blocks out. For measurements and tests.
#pragma once
#include "glue/task.hpp"

namespace sino {

class SINO_VISIBLE TaskHarness
{
public:
  struct Conditions {
    const Device *device = nullptr; // null: native
    int threads = 0;                // 0: all that the process may use
    int lanes = 0;                  // lanes of input sinograms; 0: the number that the task wants
    int wanted = 1;                 // lanes that the consumer of the output wants
    Rows rows = {};                 // output rows of the largest work item; none: all
    int64_t batch = 0;              // projections of the largest block; 0: all
  };

  // Negotiates and starts a worker. A null input is not connected. The task must outlive this object.
  TaskHarness (Task &task, std::vector<std::shared_ptr<const Format>> inputs, const Conditions &place);
  ~TaskHarness ();

  // The format of the output; for a sink, of its input.
  const std::shared_ptr<const Format> &format () const { return output; }
  // Lanes of the first input.
  int lanes () const { return layouts.empty () ? 1 : layouts[0].lanes; }

  // New blocks of zeros, in the memory that a run would use on the device, cut as in a plan, for the work item that
  // puts out `rows`. `batch`: angles per block of projections, 0: all.
  std::vector<Block> input_blocks (size_t port, const Rows &rows, int64_t batch = 0) const;
  std::vector<Block> output_blocks (const Rows &rows, int64_t batch = 0) const;

  // Runs a work item. `from`: the blocks of each input, none if it is not connected; `to`: the blocks to fill.
  void run (const std::vector<std::vector<Block>> &from, const std::vector<Block> &to);

  std::map<std::string, int64_t> counted () const { return counters.read (); }
  std::vector<std::string> said () const { return messages.read (); }

private:
  Task &task;
  const Device &device;
  const std::vector<std::shared_ptr<const Format>> inputs;
  const std::shared_ptr<const Format> output;
  const bool on_device;
  std::vector<Layout> layouts;
  Layout layout;
  Monitor monitor;
  const Cpu cpu;
  Counters counters;
  Messages messages;
  std::once_flag told;
  std::exception_ptr failure; // exception in a helper thread of the worker
  std::unique_ptr<Allotment> memory;
  std::unique_ptr<Worker> worker;

  void run_worker (const std::vector<std::vector<Block>> &from, const std::vector<Block> &to);
  Bill bill (const Conditions &place) const;
  Block new_block (const std::shared_ptr<const Format> &format, Layout, const Region &) const;
  std::vector<Block> blocks (const std::shared_ptr<const Format> &format, Layout, const Rows &, int64_t batch) const;
};

} // namespace sino
