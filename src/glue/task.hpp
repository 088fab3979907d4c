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
#include "glue/signature.hpp"
#include "stream/filling.hpp"
#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>

namespace sino {

struct Port {
  const char *name;
  bool optional = false;
  FormatSet takes = {};          // formats that the port takes; none: those of the node's Signature
  const char *way_out = nullptr; // advice for messages if `takes` does not contain a format
};

// An input of a worker: the blocks of the current work item, in the order of the plan.
class Input
{
public:
  virtual ~Input () = default;
  // The next block, or an empty one after the last of this work item.
  virtual Block pop () = 0;
  // Waits until more than `projections` are in the blocks that the producer fills. Returns none if no more will come
  // before the blocks can be popped, or if the producer does not tell.
  virtual std::optional<Filling> filling (int64_t /*projections*/) { return {}; }
};

// The output of a worker: the blocks of the current work item that it must push, in the order of the plan.
class Output
{
public:
  virtual ~Output () = default;
  // All output rows of the work item.
  virtual Rows rows () const = 0;
  // The next block to fill, with memory from the pool (contents undefined; the worker must also fill the padding of
  // lanes), or an empty one after the last of this work item. Several may be held at once.
  virtual Block next () = 0;
  // Like next (), but returns an empty block instead of waiting for memory. A worker that holds blocks must not wait
  // for more, because it may hold all of them itself.
  virtual Block next_if_free () { return next (); }
  // Region of the block that next () would return; null after the last.
  virtual const Region *coming () const = 0;
  // The next block, with the content of `memory`, which must not change before the block is dropped. The content is
  // copied if the block must lie in other memory.
  virtual Block next_in (const std::shared_ptr<Buffer> &memory)
  {
    Block block = next ();
    std::memcpy (block.data (), memory->data, block.bytes ());
    return block;
  }
  // Makes the memory of blocks before they are needed; returns what has not been touched yet.
  virtual std::vector<std::span<std::byte>> make_ahead () { return {}; }
  // Tells consumers how far blocks from next () are filled, which are pushed later. Any thread.
  virtual void show (const Filling &) {}
  // Passes on a block from next (); blocks must be pushed in the same order.
  virtual void push (Block block) = 0;

  // All blocks of the work item at once, for workers that add each input to all of them; they are pushed together.
  std::vector<Block> all ()
  {
    std::vector<Block> blocks;
    while (Block block = next ())
      blocks.push_back (std::move (block));
    return blocks;
  }
  void push_all (std::vector<Block> &blocks)
  {
    for (auto &block : blocks)
      push (std::move (block));
  }
};

class Worker
{
public:
  virtual ~Worker () = default;
  // Runs one work item: pops all blocks of every input and pushes all planned blocks. `inputs` has a null pointer for
  // each port that is not connected; `output` is null for a sink. Throws on failure.
  virtual void run (std::span<Input *const> inputs, Output *output) = 0;
  // Waits for work of earlier work items on a device, and counts it. Throws on failure.
  virtual void wait () {}
  // Called after the last work item, also if the run failed or was cancelled: returns when no other thread works for
  // this worker. Throws their errors.
  virtual void end () {}
};

// Messages for people during a run: "1200 of 4096 detector pixels are dead". Keeps each text once, and only the first
// few, to limit memory. Any thread.
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
  // Level of the message at this index of read (), now or later.
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

// The environment of a worker.
struct Replica {
  const Device &device;
  const Cpu &cpu;
  Monitor &monitor; // long loops must call its check ()
  Failed failed;
  Counters &counters;
  Messages &messages;
  Allotment &memory;                     // memory that Task::memory () has requested
  std::span<const Format *const> inputs; // null if not connected
  const Format *output;                  // null for a sink
  std::span<const Layout> input_layouts;
  Layout output_layout;
  MakeOnce once = {}; // set if other processes take part in the run
};

// Sizes of a work item as a worker sees it.
struct Sizing {
  const Device &device;
  int threads;
  int64_t item_rows;                   // rows of the largest work item, of the task's output
  std::span<const size_t> input_block; // bytes of the largest block per input, 0 if not connected
  std::span<const Layout> input_layouts;
  size_t output_block;   // bytes of the largest block of the output
  int64_t output_blocks; // number of output blocks in the largest work item
  int64_t input_rows;    // rows of the largest work item, of the first input
  // Whether the worker can access the blocks where they lie; otherwise a worker on a device copies them.
  bool input_reached = true, output_reached = true;
  int64_t item_step = 1; // all work items begin at multiples of this number of output rows; 0: they begin at row 0
};

class Composite;

// A node. Questions to some kinds of nodes only are in glue/facets.hpp: sources, sinks that write files, tasks with
// surveys, and others.
class SINO_VISIBLE Task
{
public:
  virtual ~Task ();

  // The member `signature` of the task's class, set by the binding; null: the class has none.
  const Signature *stated_signature = nullptr;

  // --- shape; may be asked at any time ---
  // Its input ports: one port "data" unless overridden.
  virtual std::span<const Port> inputs () const;
  // Whether it has an output; a sink has none.
  virtual bool has_output () const { return true; }
  // This object if it is a composite; null: it runs itself.
  virtual const Composite *composite () const { return nullptr; }

  // --- negotiation: no pixel is touched ---
  // Returns the output format for the formats of the inputs (null if an optional port is not connected), which passed
  // check_taken (). A sink returns the format that it takes. Throws if it cannot process them; the runtime adds the
  // node's name to the message.
  virtual Format negotiate (std::span<const Format *const> inputs) = 0;
  // After negotiation: messages about the coming run: "the axis was assumed in the middle".
  virtual std::vector<std::string> warnings () const { return {}; }
  // After negotiation: files that the task reads; no sink may replace them.
  virtual std::vector<FileStamp> files () const { return {}; }
  // After negotiation: whether the output has other values than the only input. A task that only adds to the format of
  // its stream takes no part in the run.
  virtual bool alters () const { return true; }
  // After negotiation: whether a value of the output has the noise of one value of the input, as that of Format::noise.
  virtual bool keeps_noise () const { return !alters (); }

  // --- plan ---
  // Rows of input `port`, with format `input`, that are needed for `rows` of the output.
  virtual Rows demand (size_t port, const Format &input, const Rows &rows) const;
  // Whether all blocks of the port must have arrived before the first block of the output can leave.
  virtual bool collects (size_t port) const;
  // Number of lanes that the task wants at its input, if consumers want `downstream` lanes at its output.
  virtual int wanted_lanes (const Device &device, int downstream) const;
  // Number of lanes at its output.
  virtual int output_lanes (int input, int wanted) const;
  // The least number of lanes at its input that gives the same bits as `lanes`; used if memory is short.
  virtual int fewest_lanes (const Device &, int lanes) const { return lanes; }
  // Whether its inputs may have any number of lanes, including that wanted by another consumer of the same stream. If
  // not, the runtime separates lanes for the task.
  virtual bool takes_lanes () const { return false; }
  // Adds the memory that a worker takes besides blocks; the worker gets it in Replica::memory.
  virtual void memory (const Sizing &, Bill &) const {}
  // Adds the memory that the task holds once for all workers.
  virtual void shared_memory (Bill &) const {}
  // Whether the worker computes on the device, so that blocks may lie in the device's memory. Throws if properties
  // request features that the device does not have.
  virtual bool on_device (const Device &device) const;
  // Floating-point updates per slice for GUPS: pixels x projections. 0: not a reconstruction.
  virtual double updates_per_row () const { return 0; }
  // Estimated seconds of the device for the whole output, for `sinograph plan`; 0: estimated from the bytes.
  virtual double seconds (const Device &, int /*threads*/) const { return 0; }
  // Whether calls must not overlap: one worker for all replicas, work items in order.
  virtual bool serial () const { return false; }
  // Description of the code that runs on the device for this number of lanes, for `sinograph plan` and provenance
  // ("AVX3, 16 lanes"), or "".
  virtual std::string remark (const Device &device, int lanes) const;
  // The OpenCL kernels that it uses after negotiation; null: none.
  virtual const families::Use *kernels () const { return nullptr; }
  // Text for `sinograph devices`: how the task would run on the device in usual situations, and why. Called before
  // negotiation, with default properties. One line each; lines that explain the line above begin with spaces.
  virtual std::vector<std::string> explain (const Device &device) const;

  // --- run ---
  // Makes a worker. Called once per pass and replica, never concurrently with another call on this task.
  virtual std::unique_ptr<Worker> start (const Replica &replica) = 0;
  // Called after all passes succeeded: moves results to their final place. The destructor removes unfinished results.
  virtual void finish () {}
};

} // namespace sino
