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
  // The next block, with the content of `memory`. Nobody may change that before it is dropped. It is copied where the
  // block has to lie elsewhere.
  virtual Block next_in (const std::shared_ptr<Buffer> &memory)
  {
    Block block = next ();
    std::memcpy (block.data (), memory->data, block.bytes ());
    return block;
  }
  // Hands on a block that next () gave, in the same order.
  virtual void push (Block block) = 0;

  // All blocks of the work item, open together, as what comes adds to each of them; and handed on together.
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

// A node. What only some are is in glue/facets.hpp: sources, sinks that write files, tasks that look at a scan before
// the plan, and others.
class SINO_VISIBLE Task
{
public:
  virtual ~Task ();

  // --- shape, asked at any time ---
  // Its input ports: one port "data" unless overridden.
  virtual std::span<const Port> inputs () const;
  // Whether it has an output; a sink has none.
  virtual bool has_output () const { return true; }
  // Itself where it stands for other nodes; null: it runs by itself.
  virtual const Composite *composite () const { return nullptr; }

  // --- negotiation: no pixel is touched ---
  // Makes the output's format of the formats of the inputs (null where an optional port is not connected). A sink gives
  // back what it takes. Throws when it cannot work on them; the runtime puts the node's name before the message.
  virtual Format negotiate (std::span<const Format *const> inputs) = 0;
  // After negotiation: what people should know of the run to come: "the axis was assumed in the middle".
  virtual std::vector<std::string> warnings () const { return {}; }
  // After negotiation: files that the task reads, which no sink may replace.
  virtual std::vector<FileStamp> files () const { return {}; }
  // After negotiation: whether values of the output differ from those of its only input. A task that only tells more
  // about the stream takes no part in the run.
  virtual bool alters () const { return true; }

  // --- plan ---
  // Rows of input `port` (whose format is `input`) that `rows` of the output need.
  virtual Rows demand (size_t port, const Format &input, const Rows &rows) const;
  // Whether all blocks of the port must have arrived before the first block of the output can leave.
  virtual bool collects (size_t port) const;
  // Lanes wanted at the input, given what the consumers want at the output.
  virtual int wanted_lanes (const Device &device, int downstream) const;
  // Lanes given at the output.
  virtual int output_lanes (int input, int wanted) const;
  // The fewest lanes at the input that give the same bits as `lanes`: what is taken where memory is short.
  virtual int fewest_lanes (const Device &, int lanes) const { return lanes; }
  // Whether the inputs may come in any number of lanes, also in the lanes that another consumer of the same stream
  // wants. The runtime takes lanes apart for tasks that do not take them.
  virtual bool takes_lanes () const { return false; }
  // What a worker takes besides blocks. Replica::memory gives it.
  virtual void memory (const Sizing &, Bill &) const {}
  // What the task holds once for all workers.
  virtual void shared_memory (Bill &) const {}
  // Whether the worker computes on the device, so that blocks may lie in the device's memory. Throws where the task's
  // properties ask for what the device does not have.
  virtual bool on_device (const Device &device) const;
  // Floating-point updates per slice for GUPS: pixels x projections. 0: not a reconstruction.
  virtual double updates_per_row () const { return 0; }
  // Rough seconds that the device takes for the whole output, for `sinograph plan`; 0: as long as its bytes say.
  virtual double seconds (const Device &, int /*threads*/) const { return 0; }
  // Whether calls must not overlap: one worker for all replicas, work items in order.
  virtual bool serial () const { return false; }
  // What runs on the device with sinograms in so many lanes, for `sinograph plan` and provenance ("AVX3, 16 lanes"), or
  // "".
  virtual std::string remark (const Device &device, int lanes) const;
  // The OpenCL kernels that it runs, as it has negotiated; null: it has none.
  virtual const families::Use *kernels () const { return nullptr; }
  // For `sinograph devices`, of a task that has its defaults and has negotiated nothing: how it would run on the device
  // in usual situations, and why. A line each, with spaces before a line that tells more about the one above.
  virtual std::vector<std::string> explain (const Device &device) const;

  // --- run ---
  // Makes a worker. Called once per pass and replica, never at the same time as another call on this task.
  virtual std::unique_ptr<Worker> start (const Replica &replica) = 0;
  // After all passes went well: brings results to their final place. The destructor drops what was not finished.
  virtual void finish () {}
};

} // namespace sino
