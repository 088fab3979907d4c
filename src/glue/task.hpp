// SPDX-License-Identifier: LGPL-3.0-or-later
// A node of the graph in C++. A Task is a description: properties, formats, demand. A Worker runs it, one per replica.
#pragma once
#include "base/counters.hpp"
#include "base/files/input-file.hpp"
#include "base/peers.hpp"
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "device/device.hpp"
#include "families/use.hpp"
#include "stream/block.hpp"
#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <span>

namespace sino {

struct Port {
  const char *name;
  bool optional = false;
};

// random: any rows, any time, several times. once: all projections in order, a single time.
enum class Access { random, once };

// The blocks of the current work item that reach a worker, in the order of the plan.
class Input
{
public:
  virtual ~Input () = default;
  // The next block, or an empty one after the last of this work item.
  virtual Block pop () = 0;
};

// The blocks of the current work item that a worker has to give, in the order of the plan.
class Output
{
public:
  virtual ~Output () = default;
  // All rows of the work item.
  virtual Rows rows () const = 0;
  // The next block to fill, its memory taken from the pool (contents undefined, except the lanes' padding, which the
  // worker must fill), or an empty one after the last of this work item. Several may be held at once.
  virtual Block next () = 0;
  // The same, but an empty one also where next () would wait for memory. A worker that holds blocks must not wait for
  // more, as all that there are may be its own.
  virtual Block next_if_free () { return next (); }
  // Region of the block that next () would give; null after the last.
  virtual const Region *coming () const = 0;
  // As next (), with the content that lies in `memory`, which nobody may change before it is dropped; copied where the
  // block has to lie elsewhere.
  virtual Block next_in (const std::shared_ptr<Buffer> &memory)
  {
    Block block = next ();
    std::memcpy (block.data (), memory->data, block.bytes ());
    return block;
  }
  // Hands on a block that next () gave, in the same order.
  virtual void push (Block block) = 0;
};

class Worker
{
public:
  virtual ~Worker () = default;
  // Runs one work item: pops every input to its end and pushes every block that the plan wants. `inputs` has a null
  // pointer for each port that is not connected; `output` is null for a sink. Throws on failure.
  virtual void run (std::span<Input *const> inputs, Output *output) = 0;
  // Waits for what work items before left running on a device: it is counted then. Throws on failure.
  virtual void wait () {}
  // After the last work item, also of a run that failed or was cancelled: returns when no other thread works for this
  // worker any more. Throws what failed there.
  virtual void end () {}
};

// What people should know of a run that goes on: "1200 of 4096 detector pixels are dead". Each text once, and the first
// few only, so that nothing grows. Any thread.
class SINO_VISIBLE Messages
{
public:
  enum class Level : uint8_t { info, warning };

  void add (std::string text, Level level = Level::warning)
  {
    const std::lock_guard guard (mutex);
    if (said.size () < most && std::ranges::find (said, text, &Message::text) == said.end ())
      said.push_back ({std::move (text), level});
  }
  std::vector<std::string> read () const
  {
    const std::lock_guard guard (mutex);
    std::vector<std::string> texts;
    for (const auto &message : said)
      texts.push_back (message.text);
    return texts;
  }
  // Level of what read () gives at the same place, now or later.
  Level level (size_t place) const
  {
    const std::lock_guard guard (mutex);
    return said.at (place).level;
  }

private:
  struct Message {
    std::string text;
    Level level;
  };
  static constexpr size_t most = 32;
  mutable std::mutex mutex;
  std::vector<Message> said;
};

// Where a worker lives and what it works on.
struct Replica {
  const Device &device;
  const Cpu &cpu;
  Monitor &monitor; // check () it in long loops
  Failed failed;
  Counters &counters;
  Messages &messages;
  Allotment &memory;                     // what memory () said
  std::span<const Format *const> inputs; // null where not connected
  const Format *output;                  // null for a sink
  std::span<const Layout> input_layouts;
  Layout output_layout;
  MakeOnce once = {}; // where other processes work on the run, too
};

// The size of what one work item brings to a worker.
struct Sizing {
  const Device &device;
  int threads;
  int64_t item_rows;                   // rows of the largest work item, at the task's output
  std::span<const size_t> input_block; // bytes of the largest block per input, 0 where not connected
  std::span<const Layout> input_layouts;
  size_t output_block;   // bytes of the largest block of the output
  int64_t output_blocks; // of a work item
  int64_t input_rows;    // rows of the largest work item, at the first input
  // Whether the worker reaches the blocks where they lie; a worker on a device otherwise has copies.
  bool input_reached = true, output_reached = true;
  int64_t item_step = 1; // all work items begin at multiples of so many rows of the output; 0: at the first
};

class Composite;

// What decides the bytes of a result, by names for people: "graph", "inputs".
using RunKey = std::vector<std::pair<std::string, std::string>>;

// Whether a run keeps journals of what it has finished; goes on with those that are there, if any.
enum class Journals : uint8_t { none, kept, resumed };

class SINO_VISIBLE Task
{
public:
  virtual ~Task ();

  // --- shape ---
  virtual std::span<const Port> inputs () const; // one port "data" unless overridden
  virtual bool has_output () const { return true; }
  virtual const Composite *composite () const { return nullptr; } // null: runs by itself

  // --- negotiate: no pixel is touched ---
  // Makes the output's format of those of the inputs (null where an optional port is not connected); a sink gives
  // back what it takes. Throws when it cannot work on them; the runtime puts the node's name before the message.
  virtual Format negotiate (std::span<const Format *const> inputs) = 0;

  // What people should know of the run to come, after negotiation: "the axis was assumed in the middle".
  virtual std::vector<std::string> warnings () const { return {}; }
  // Whether these say only what was found.
  virtual Messages::Level level_of_warnings () const { return Messages::Level::warning; }

  // --- survey: before the plan of a run that needs to know more of the scan than its format says ---
  // Bands of rows of the first input that the task has to see before it knows the format of its output; none: it knows.
  // It negotiates again, and all after it, when it has seen them. Plans without a run do not make surveys.
  virtual std::vector<Rows> survey (const Format &) const { return {}; }
  // The worker that sees them, a band or a part of one per work item, in single lanes; it has no output. Several may be
  // at work at a time. Messages that it gives are kept.
  virtual std::unique_ptr<Worker> look (const Replica &) { return nullptr; }
  // Whether that worker leaves out rows that are in none of the bands. Bands in the same chunks of a file are then read
  // together, with the rows between them; else one of them has to do where all would read more than the whole scan.
  virtual bool leaves_out_rows () const { return false; }
  // What it takes, as memory () says it of the worker of a run.
  virtual void survey_memory (const Sizing &, Bill &) const {}
  // There is no survey, and why: a source upstream can be read only once.
  virtual void miss (const std::string &) {}
  // What may be wrong in what it has found, or has assumed in its place, and what to do; "": it is sure. Strict runs
  // end there.
  virtual std::string doubt () const { return {}; }
  // Whether values of the output are others than those of its only input. A task that only tells more about the stream
  // takes no part in the run.
  virtual bool alters () const { return true; }

  // A source that learns only from what comes how many projections there are takes all of it before a run looks at
  // formats. `monitor`: of the run.
  virtual bool gathers () const { return false; }
  virtual void gather (const Monitor &) {}
  // How many projections it gives to a plan that is made before they have come. False where that cannot be said.
  virtual bool suppose (int64_t /*projections*/) { return false; }

  // --- plan ---
  // Rows of input `port` (whose format is `input`) that `rows` of the output need.
  virtual Rows demand (size_t port, const Format &input, const Rows &rows) const;
  // Whether all blocks of the port must have arrived before the first block of the output can leave.
  virtual bool collects (size_t port) const;
  // Rows of the output, counted from the first, that are computed best together: work items are cut there where they
  // can be.
  virtual int64_t rows_together (const Device &) const { return 1; }
  // Whether a task that collects takes the blocks of its output one by one when it has all inputs, or all of them
  // before the first input, to fill them together.
  virtual bool fills_late (const Device &) const { return false; }
  // Whether blocks of the output leave later than those of the port come, so that another stream which both are joined
  // with has to wait.
  virtual bool holds_back (size_t port) const { return collects (port); }
  // Paths of the files that a sink will write, for sinks must not share one; files that the task reads, for no sink
  // must replace them.
  virtual std::vector<std::string> outputs () const { return {}; }
  virtual std::vector<FileStamp> files () const { return {}; }
  // A sink that takes whole projections only (a page of a file): work items then hold all rows.
  virtual bool whole_projections () const { return false; }
  // A source: how it can be read, and bytes that must be read from storage for some rows (chunks and strips counted
  // whole). The default counts what the format says.
  virtual Access access () const { return Access::random; }
  virtual double bytes_read (const Format &output, const Rows &rows) const;
  // A source or a sink: how many requests to its storage a worker has at work at most. Blocks are cut into several
  // where they are large; one that is whole needs as many blocks in its pool.
  virtual int requests (int /*threads*/) const { return 1; }
  // A source: how many projections a block of its output has at most, as where each lies in memory of its own.
  virtual int64_t most_angles (const Format &) const { return std::numeric_limits<int64_t>::max (); }
  // Lanes wanted at the input, given what the consumers want at the output; lanes given at the output.
  virtual int wanted_lanes (const Device &device, int downstream) const;
  virtual int output_lanes (int input, int wanted) const;
  // The fewest lanes at the input that give the same bits as those: what is taken where memory is short.
  virtual int fewest_lanes (const Device &, int lanes) const { return lanes; }
  // Whether the inputs may come in any number of lanes, also in those that another consumer of the same stream wants.
  // The runtime takes lanes apart for tasks that do not take them.
  virtual bool takes_lanes () const { return false; }
  // What a worker takes besides blocks, of which Replica::memory gives it, and what the task holds once for all
  // workers.
  virtual void memory (const Sizing &, Bill &) const {}
  virtual void shared_memory (Bill &) const {}
  // Whether the worker computes on the device, so that blocks may lie in the device's memory. Throws where the task's
  // properties ask for what the device does not have.
  virtual bool on_device (const Device &device) const;
  // Floating-point updates per slice for GUPS, e.g. pixels x projections. 0: not a reconstruction.
  virtual double updates_per_row () const { return 0; }
  // Rough seconds that the device takes for the whole output, for `sinograph plan`; 0: as long as its bytes say.
  virtual double seconds (const Device &, int /*threads*/) const { return 0; }
  // Calls must not overlap: one worker for all replicas, work items in order.
  virtual bool serial () const { return false; }
  // What runs on the device with sinograms in so many lanes, for `sinograph plan` and provenance ("AVX3, 16 lanes"), or
  // "".
  virtual std::string remark (const Device &device, int lanes) const;
  // The OpenCL kernels that it runs, as it has negotiated; null: it has none.
  virtual const families::Use *kernels () const { return nullptr; }

  // How the task would run on the device in usual situations, and why, for `sinograph devices`: a line each, spaces
  // before those that tell more about the one above. Called on a task that has its defaults and has negotiated nothing.
  virtual std::vector<std::string> explain (const Device &device) const;

  // --- run ---
  // A worker; called once per pass and replica, never at the same time as another call on this task.
  virtual std::unique_ptr<Worker> start (const Replica &replica) = 0;
  // What was made is wrong: nothing of it stays, and no later run goes on with it.
  virtual void distrust () {}
  // After all passes went well: bring results to their final place. The destructor drops what was not finished.
  virtual void finish () {}
  // Whether it wants a program that embeds the library, so that it cannot be a part of a graph that is only run.
  virtual bool needs_program () const { return false; }
  // A run that this is a part of is about to begin.
  virtual void announce () {}
  // A sink may say where blocks that come to it alone shall be made: memory of `bytes` for a region of its input. It
  // holds `place`, which bounds how many there are, until it takes the block. Called by other threads than its
  // worker's, where lends ().
  virtual std::shared_ptr<Buffer> lend (const Region &, size_t /*bytes*/, const std::shared_ptr<Buffer> & /*place*/)
  {
    return nullptr;
  }
  virtual bool lends () const { return false; }
  // The run was cancelled or has failed: wakes workers that wait for something outside of it, and returns at once.
  // Comes from another thread than theirs; they are not called any more after that.
  virtual void unlock () {}
  // Whether its workers wait so. Such a stage has a thread of its own, however many there are.
  virtual bool waits_outside () const { return false; }
  // The run that this is a part of has ended badly, perhaps before anything was started: those outside of it who wait
  // for the task are told.
  virtual void abandon (const std::string & /*why*/) {}
  // A sink is told, before it starts, what decides the pixels that reach it: JSON text with the nodes upstream, the
  // kind of device and the variants. Files keep it.
  virtual void provenance (const std::string &) {}

  // --- resume ---
  // A sink: whether a later run can go on with what this one has written when it is killed.
  virtual bool resumes () const { return false; }
  // A sink is told, before it starts, how it keeps its journal. Throws where one is there that does not fit, and where
  // one is there at all unless it is resumed.
  virtual void keep_journal (Journals, const RunKey &) {}
  // Rows of its input that are finished since an earlier run, in their order.
  virtual std::vector<Rows> finished_rows () const { return {}; }
  // Whether an earlier run had come to its end with all of them.
  virtual bool complete_before () const { return false; }
  // A sink: files that it keeps beside its outputs while it works.
  virtual std::vector<std::string> beside () const { return {}; }

  // --- several processes that work on one run ---
  // A sink: whether each of them can write its part.
  virtual bool shared () const { return resumes (); }
  // The first one, once it has started: what the others need to know, to write to what it has opened.
  virtual std::string opened () const { return {}; }
  // Another one, before it starts. `rank`: its number, from 1 on.
  virtual void join (const std::string & /*opened*/, int /*rank*/) {}
  // Another one, in place of finish (): what it has written is there. What the first one has to know of it.
  virtual std::string part_finished () { return {}; }
  // The first one, before finish ().
  virtual void others_finished (std::span<const std::string> /*parts*/) {}
};

} // namespace sino
