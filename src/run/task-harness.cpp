// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/task-harness.hpp"
#include "base/error.hpp"
#include "glue/several.hpp"
#include "glue/wants.hpp"
#include "plan/demand.hpp"
#include <cstring>

namespace sino {

namespace {

// Gives blocks to a worker, one after the other.
struct Given {
  const std::vector<Block> &blocks;
  const bool on_device;
  size_t given = 0;

  Block give ()
  {
    if (given == blocks.size ())
      return {};
    if (!on_device)
      blocks[given].buffer ()->settle ();
    return blocks[given++];
  }
};

class Feed final : public Input, Given
{
public:
  Feed (const std::vector<Block> &b, bool reached) : Given{b, reached} {}
  Block pop () override { return give (); }
  bool complete () const { return given == blocks.size (); }
};

class Catch final : public Output, Given
{
public:
  Catch (const std::vector<Block> &b, bool reached) : Given{b, reached} {}
  Rows rows () const override { return rows_of (blocks); }
  Block next () override { return give (); }
  const Region *coming () const override { return given < blocks.size () ? &blocks[given].region () : nullptr; }
  void push (Block block) override
  {
    if (pushed >= given || !(block.region () == blocks[pushed].region ()))
      fail (SINO_ERROR_FAILED, "a block was pushed out of order");
    pushed++;
  }
  bool complete () const { return pushed == blocks.size (); }

private:
  size_t pushed = 0;
};

std::vector<const Format *> pointers (const std::vector<std::shared_ptr<const Format>> &formats)
{
  std::vector<const Format *> list;
  for (const auto &format : formats)
    list.push_back (format.get ());
  return list;
}

} // namespace

TaskHarness::TaskHarness (Task &t, std::vector<std::shared_ptr<const Format>> i, const Conditions &place)
    : task (t), device (place.device ? *place.device : *native_device ()), inputs (std::move (i)),
      output (std::make_shared<const Format> (negotiated (t, pointers (inputs)))), on_device (task.on_device (device)),
      cpu (place.threads, monitor)
{
  for (const auto &input : inputs) {
    const auto lanes = place.lanes > 0 ? place.lanes : task.wanted_lanes (device, place.wanted);
    layouts.push_back ({input && input->kind () == Kind::sinograms ? lanes : 1});
  }
  if (output->kind () == Kind::sinograms)
    layout.lanes = task.output_lanes (lanes (), place.wanted);
  const auto formats = pointers (inputs);
  allow_at_once (task, device, blocks_at_once (task, device, cpu.threads ()));
  memory = std::make_unique<Allotment> (bill (place));
  const auto failed = [this] (const std::exception_ptr &what) {
    std::call_once (told, [&] {
      failure = what;
      monitor.cancel ();
    });
  };
  worker = task.start ({.device = device,
                        .cpu = cpu,
                        .monitor = monitor,
                        .failed = failed,
                        .counters = counters,
                        .messages = messages,
                        .memory = *memory,
                        .inputs = formats,
                        .output = task.has_output () ? output.get () : nullptr,
                        .input_layouts = layouts,
                        .output_layout = layout});
}

TaskHarness::~TaskHarness () = default;

// Bill for work items and blocks of any size up to the largest, all in memory that the device cannot access.
Bill TaskHarness::bill (const Conditions &place) const
{
  const auto rows = place.rows.empty () ? Rows (0, output->rows ()) : place.rows;
  const auto largest = [&] (const Format &format, Layout with, const Rows &some) {
    const bool cut = place.batch > 0 && format.kind () == Kind::projections;
    return block_bytes (format, with, {some, {0, cut ? std::min (place.batch, format.angles ()) : format.angles ()}});
  };
  std::vector<size_t> blocks;
  int64_t input_rows = 0;
  for (size_t port = 0; port < inputs.size (); port++) {
    if (!inputs[port]) {
      blocks.push_back (0);
      continue;
    }
    const auto &input = *inputs[port];
    const auto taken = place.rows.empty () ? Rows (0, input.rows ()) : task.demand (port, input, rows);
    blocks.push_back (largest (input, layouts[port], taken));
    if (port == 0)
      input_rows = taken.size ();
  }
  Bill list;
  task.memory ({.device = device,
                .threads = cpu.threads (),
                .item_rows = rows.size (),
                .input_block = blocks,
                .input_layouts = layouts,
                .output_block = largest (*output, layout, rows),
                .output_blocks = rows.size (),
                .input_rows = input_rows,
                .input_reached = false,
                .output_reached = false},
               list);
  return list;
}

std::vector<Block> TaskHarness::blocks (const std::shared_ptr<const Format> &format, Layout with, const Rows &rows,
                                        int64_t batch) const
{
  std::vector<Block> list;
  const auto row_step = std::max (lanes (), layout.lanes);
  for (const auto &region : blocks_of (*format, rows, batch > 0 ? batch : format->angles (), row_step))
    list.push_back (new_block (format, with, region));
  return list;
}

Block TaskHarness::new_block (const std::shared_ptr<const Format> &format, Layout with, const Region &region) const
{
  const auto bytes = block_bytes (*format, with, region);
  if (!on_device || bytes > device.largest_block ())
    return make_block (format, with, region);
  std::shared_ptr<Buffer> buffer = device.allocate (Device::Memory::shared, bytes);
  std::memset (buffer->data, 0, bytes);
  return {format, with, region, std::move (buffer)};
}

std::vector<Block> TaskHarness::input_blocks (size_t port, const Rows &rows, int64_t batch) const
{
  return blocks (inputs[port], layouts[port], task.demand (port, *inputs[port], rows), batch);
}

std::vector<Block> TaskHarness::output_blocks (const Rows &rows, int64_t batch) const
{
  return blocks (output, layout, rows, batch);
}

void TaskHarness::run (const std::vector<std::vector<Block>> &from, const std::vector<Block> &to)
{
  try {
    run_worker (from, to);
  } catch (const Cancelled &) {
    const auto lock = monitor.lock ();
    if (failure)
      std::rethrow_exception (failure);
    throw;
  }
}

void TaskHarness::run_worker (const std::vector<std::vector<Block>> &from, const std::vector<Block> &to)
{
  std::vector<Feed> feeds;
  for (const auto &list : from)
    feeds.emplace_back (list, on_device);
  std::vector<Input *> ends;
  for (size_t port = 0; port < inputs.size (); port++)
    ends.push_back (inputs[port] ? &feeds[port] : nullptr);
  Catch end (to, on_device);
  worker->run (ends, task.has_output () ? &end : nullptr);
  for (const auto &feed : feeds)
    if (!feed.complete ())
      fail (SINO_ERROR_FAILED, "blocks were left in an input");
  if (!end.complete ())
    fail (SINO_ERROR_FAILED, "blocks are missing from the output");
  for (const auto &block : to)
    block.buffer ()->settle ();
  worker->wait ();
  worker->end ();
}

} // namespace sino
