// SPDX-License-Identifier: LGPL-3.0-or-later
// The two ends of a stream as a worker sees them. Both count blocks against the plan. RunningPass makes them with the
// pool of each stage (build-pass.cpp), and calls Worker::run in a thread for each stage (pipeline.cpp).
#pragma once
#include "pass/context.hpp"
#include "pass/pool.hpp"
#include <chrono>

namespace sino {

// Measures how long a worker works and how long it waits for blocks.
class StageClock
{
public:
  using Clock = std::chrono::steady_clock;
  // Activity of a worker: none (between work items), work, waiting for an input block, waiting for a free output block.
  enum class Doing { nothing, work, wait_for_block, wait_for_room };

  StageClock (Meter &m, Trace::Lane *l) : meter (m), lane (l) {}

  void begin (const Rows &item)
  {
    rows = item;
    since = Clock::now ();
    become (Doing::work);
  }
  void end ()
  {
    const auto now = Clock::now ();
    meter.busy += (now - since).count ();
    if (lane)
      lane->add (since, now, rows);
    since = now;
    become (Doing::nothing);
  }

  // Any thread.
  Doing doing () const { return now_doing; }
  double seconds_at_it () const { return static_cast<double> (now () - begun) * 1e-9; }

  static int64_t now () { return Clock::now ().time_since_epoch ().count (); }

  // Marks a wait, from construction to destruction.
  class Waiting : NoCopy
  {
  public:
    Waiting (StageClock &c, Doing what) : clock (c)
    {
      clock.end ();
      clock.become (what);
    }
    ~Waiting ()
    {
      const auto now = Clock::now ();
      clock.meter.waiting += (now - clock.since).count ();
      clock.since = now;
      clock.become (Doing::work);
    }

  private:
    StageClock &clock;
  };

private:
  Meter &meter;
  Trace::Lane *const lane;
  Rows rows; // rows of the work item
  Clock::time_point since;
  std::atomic<Doing> now_doing{Doing::nothing};
  std::atomic<int64_t> begun{0}; // time when the present activity began

  void become (Doing what)
  {
    now_doing = what;
    begun = now ();
  }
};

// The connection of a worker's input.
struct InputEnd {
  Channel &channel;
  std::shared_ptr<Pool> copies;
  Layout layout;  // layout of the blocks that the worker gets
  bool on_device; // the worker takes blocks where they lie, without a copy
  Meter *meter;
  StageClock *clock;
  Meters *target;          // counts what a target takes; null: the worker is no target
  bool slices;             // the target takes slices
  Samples *samples;        // slices kept for verification; null: none
  std::vector<Rows> bands; // rows outside of these are dropped; empty: none is
};

class StageInput final : public Input
{
public:
  explicit StageInput (InputEnd e) : end (std::move (e)) {}

  // `given`: blocks that the producer outputs for this work item; `rows`: the rows that this consumer needs of them.
  void begin (std::vector<Region> given, const Rows &rows);
  Block pop () override;
  std::optional<Filling> filling (int64_t projections) override;
  void check_complete () const;

private:
  Rows in_bands (const Rows &rows) const;
  bool takes_whole (const Block &block) const;
  Block copy (const Block &block, const Rows &rows) const;

  const InputEnd end;
  std::vector<Region> given;
  Rows wanted;
  size_t next = 0;
};

class StageOutput final : public Output
{
public:
  // Gives the memory for a block. This memory keeps `place`, the block's place in the pool.
  using Lend =
      std::function<std::shared_ptr<Buffer> (const Region &, size_t bytes, const std::shared_ptr<Buffer> &place)>;

  // `gate`: of a source, which it passes before each block; null: it is none. `reached`: the worker fills blocks where
  // they lie. `lend`: gives memory for blocks if those of the pool have
  // none.
  StageOutput (const Stage &stage, std::shared_ptr<Pool> pool, bool reached, std::vector<Channel *> consumers,
               Meter *meter, StageClock *clock, Lend lend, Gate *gate);

  void begin (std::vector<Region> planned);
  Rows rows () const override;
  Block next () override;
  Block next_if_free () override;
  const Region *coming () const override;
  Block next_in (const std::shared_ptr<Buffer> &memory) override;
  std::vector<std::span<std::byte>> make_ahead () override;
  void show (const Filling &filled) override;
  void push (Block block) override;
  void check_complete () const;
  int64_t rows_pushed () const { return given_rows; }
  const Pool &memory () const { return *pool; }

private:
  const Stage &stage;
  const std::shared_ptr<Pool> pool;
  const bool reached;
  const std::vector<Channel *> consumers;
  Meter *const meter;
  StageClock *const clock;
  const Lend lend;
  Gate *const gate;
  std::vector<Region> planned;
  size_t taken = 0, pushed = 0;
  int64_t given_rows = 0; // distinct rows of the blocks pushed, in this work item

  Block block_in (std::shared_ptr<Buffer> memory);
};

// Function that lends a sink's memory to a stage whose blocks the sink takes unchanged; empty if the sink has none.
StageOutput::Lend lend_of (const Net &net, const Pass &pass, const Stage &stage, const Device &device);
// Pool for the copies that are made for an input of a stage.
std::shared_ptr<Pool> pool_of_copies (Monitor &monitor, const Stage &stage, size_t block);
// Pool for a stage's output; its blocks have no memory of their own if a sink lends it.
std::shared_ptr<Pool> pool_of (const RunContext &context, Monitor &monitor, const Pass &pass, const Stage &stage,
                               const Device &device);

} // namespace sino
