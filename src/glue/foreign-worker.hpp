// SPDX-License-Identifier: LGPL-3.0-or-later
// Calls the process function of a task in C, Python or another language for the blocks of a work item.
#pragma once
#include "api/sino-task.h"
#include "base/pointers.hpp"
#include "glue/task.hpp"

namespace sino {

// Throws the error of a function of a task's class, or says that the function gave none.
void check_call (const char *function, bool good, GError *error);

class ForeignWorker final : public Worker
{
public:
  // `beside`: ports whose blocks come with all angles beside each block of the first port.
  ForeignWorker (SinoTask *task, SinoFlow flow, std::vector<bool> beside, const Replica &replica);
  // A worker of a source whose blocks are not planned.
  ForeignWorker (SinoTask *task, SinoFlow flow, const std::shared_ptr<const Format> &output);
  void run (std::span<Input *const> inputs, Output *output) override;
  // Lets the task fill a dense block.
  void fill (Block &output) const { process ({}, &output); }

private:
  void run_source (Output &output);
  void run_sink (Input &input);
  void run_blocks (std::span<Input *const> inputs, Output &output);
  void run_projections (Input &input, Output &output);
  void run_accumulate (Input &input, Output &output);

  // Calls the process function for dense blocks; an empty block is an input that is not connected, a null output is
  // that of a sink.
  void process (const std::vector<Block> &inputs, Block *output) const;
  // The same for an output with any number of lanes.
  void process_lanes (const std::vector<Block> &inputs, Block &output) const;

  SinoTask *task; // outlives the worker
  SinoFlow flow;
  std::vector<bool> beside;
  std::vector<ObjectPtr<SinoFormat>> input_formats;
  ObjectPtr<SinoFormat> output_format;
};

} // namespace sino
