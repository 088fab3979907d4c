// SPDX-License-Identifier: LGPL-3.0-or-later
// The two ends of a stream as a worker sees them. Both count blocks against the plan.
#pragma once
#include "run/pipeline.hpp"
#include "run/pool.hpp"
#include <chrono>

namespace sino {

// Adds the time until its end to a counter.
class Stopwatch
{
public:
  explicit Stopwatch (std::atomic<int64_t> &t) : total (t) {}
  ~Stopwatch () { total += (std::chrono::steady_clock::now () - begin).count (); }
  Stopwatch (const Stopwatch &) = delete;
  Stopwatch &operator= (const Stopwatch &) = delete;

private:
  std::atomic<int64_t> &total;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now ();
};

class StageInput final : public Input
{
public:
  // `layout`: in which blocks are given on.
  StageInput (Channel &c, std::shared_ptr<Pool> copies, Layout layout, Meter *m, Meters *counts_as_target, bool slices);

  // `given`: the blocks that the producer puts out for this work item; `rows`: those of their rows that are wanted.
  void begin (std::vector<Region> given, const Rows &rows);
  Block pop () override;
  void check_complete () const;

private:
  void keep (const Block &block);
  Block copy (const Block &block, const Rows &rows) const;

  Channel &channel;
  const std::shared_ptr<Pool> copies;
  const Layout layout;
  Meter *const meter;
  Meters *const target;
  const bool slices;
  std::vector<Region> given;
  Rows wanted;
  size_t next = 0;
  std::deque<Block> kept; // parts of the last block that are still to be given
};

class StageOutput final : public Output
{
public:
  StageOutput (const Stage &stage, std::shared_ptr<Pool> pool, std::vector<Channel *> consumers, Meter *meter);

  void begin (std::vector<Region> planned);
  Block next () override;
  void push (Block block) override;
  void check_complete () const;
  int64_t rows_pushed () const { return rows; }

private:
  const Stage &stage;
  const std::shared_ptr<Pool> pool;
  const std::vector<Channel *> consumers;
  Meter *const meter;
  std::vector<Region> planned;
  size_t taken = 0, pushed = 0;
  int64_t rows = 0; // distinct rows of the blocks pushed, in this work item
};

} // namespace sino
