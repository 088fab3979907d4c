// SPDX-License-Identifier: LGPL-3.0-or-later
// A base class for each shape of data flow, so that most nodes are workers of a few lines.
#pragma once
#include "glue/facets.hpp"

namespace sino {

// Converts each block to one block of the same region. Any rows and lanes are possible: values (or whole lines of
// columns) are processed independently.
class PointWorker : public Worker
{
public:
  virtual void process (const Block &in, Block &out) = 0;

  void run (std::span<Input *const> inputs, Output *output) final
  {
    while (const Block in = inputs[0]->pop ()) {
      Block out = output->next ();
      process (in, out);
      output->push (std::move (out));
    }
  }
};

class SINO_VISIBLE PointFilter : public Task
{
public:
  int wanted_lanes (const Device &, int downstream) const override { return downstream; }
  bool takes_lanes () const override { return true; }
  // Copies of blocks that an OpenclPointWorker cannot access directly.
  void memory (const Sizing &sizing, Bill &bill) const override;
};

// Source: fills each planned block.
class SourceWorker : public Worker
{
public:
  virtual void fill (Block &out) = 0;

  void run (std::span<Input *const>, Output *output) final
  {
    while (Block out = output->next ()) {
      fill (out);
      output->push (std::move (out));
    }
  }
};

class Source : public Task, public Reads
{
public:
  std::span<const Port> inputs () const override { return {}; }
};

// Sink: takes each block.
class SinkWorker : public Worker
{
public:
  virtual void take (const Block &in) = 0;

  void run (std::span<Input *const> inputs, Output *) final
  {
    while (const Block in = inputs[0]->pop ())
      take (in);
  }
};

class Sink : public Task
{
public:
  bool has_output () const override { return false; }
};

} // namespace sino
