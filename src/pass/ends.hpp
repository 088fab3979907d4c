// SPDX-License-Identifier: LGPL-3.0-or-later
// The two ends of a stream as a worker sees them. Both count blocks against the plan.
#pragma once
#include "pass/context.hpp"
#include "pass/pool.hpp"
#include <chrono>

namespace sino {

// Tells the time that a worker is at work from the time that it waits for blocks.
class StageClock
{
public:
  using Clock = std::chrono::steady_clock;
  // What a worker is at: between work items, at work on one, or waits for a block to come in, or for one to fill.
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

  // A wait, to its end.
  class Waiting
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
    Waiting (const Waiting &) = delete;
    Waiting &operator= (const Waiting &) = delete;

  private:
    StageClock &clock;
  };

private:
  Meter &meter;
  Trace::Lane *const lane;
  Rows rows; // rows of the work item
  Clock::time_point since;
  std::atomic<Doing> now_doing{Doing::nothing};
  std::atomic<int64_t> begun{0}; // when it began with that

  void become (Doing what)
  {
    now_doing = what;
    begun = now ();
  }
};

// What an input of a worker is connected to.
struct InputEnd {
  Channel &channel;
  std::shared_ptr<Pool> copies;
  Layout layout;  // in which blocks are given on
  bool on_device; // the worker takes blocks where they lie
  Meter *meter;
  StageClock *clock;
  Meters *target;   // counts what is taken; null: the worker is none
  bool slices;      // of the target
  Samples *samples; // of what it takes; null: none are kept
};

class StageInput final : public Input
{
public:
  explicit StageInput (InputEnd e) : end (std::move (e)) {}

  // `given`: the blocks that the producer puts out for this work item; `rows`: those of their rows that are wanted.
  void begin (std::vector<Region> given, const Rows &rows);
  Block pop () override;
  void check_complete () const;

private:
  Block copy (const Block &block, const Rows &rows) const;

  const InputEnd end;
  std::vector<Region> given;
  Rows wanted;
  size_t next = 0;
};

class StageOutput final : public Output
{
public:
  // Memory for a block, which holds its place in the pool.
  using Lend =
      std::function<std::shared_ptr<Buffer> (const Region &, size_t bytes, const std::shared_ptr<Buffer> &place)>;

  // `on_device`: the worker fills blocks where they lie. `lend`: where the pool's have no memory.
  StageOutput (const Stage &stage, std::shared_ptr<Pool> pool, bool on_device, std::vector<Channel *> consumers,
               Meter *meter, StageClock *clock, Lend lend);

  void begin (std::vector<Region> planned);
  Rows rows () const override;
  Block next () override;
  Block next_if_free () override;
  const Region *coming () const override;
  Block next_in (const std::shared_ptr<Buffer> &memory) override;
  void push (Block block) override;
  void check_complete () const;
  int64_t rows_pushed () const { return given_rows; }
  const Pool &memory () const { return *pool; }

private:
  const Stage &stage;
  const std::shared_ptr<Pool> pool;
  const bool on_device;
  const std::vector<Channel *> consumers;
  Meter *const meter;
  StageClock *const clock;
  const Lend lend;
  std::vector<Region> planned;
  size_t taken = 0, pushed = 0;
  int64_t given_rows = 0; // distinct rows of the blocks pushed, in this work item

  Block block_in (std::shared_ptr<Buffer> memory);
};

// Where a sink takes the blocks of a stage as they are, and has a place for them; else nothing.
StageOutput::Lend lend_of (const Net &net, const Pass &pass, const Stage &stage, const Device &device);
// The memory of copies that are made for an input of a stage.
std::shared_ptr<Pool> pool_of_copies (Monitor &monitor, const Stage &stage, size_t block);
// The memory of its output: none of its own, where that is lent.
std::shared_ptr<Pool> pool_of (const RunContext &context, Monitor &monitor, const Pass &pass, const Stage &stage,
                               const Device &device);

} // namespace sino
