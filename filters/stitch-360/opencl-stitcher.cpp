// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/stitch-360/opencl-stitcher.hpp"
#include "device/devices.hpp"
#include "families/choice.hpp"
#include "filters/opencl/block-table.hpp"
#include "filters/stitch-360/opencl-join.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <optional>

namespace sino::stitch_360 {

namespace {

using Use = OpenclBuffer::Use;

constexpr char lines_item[] = "places of lines", joined_item[] = "joined projections";

cl_ulong place (int64_t value)
{
  return static_cast<cl_ulong> (value);
}

// Each block of sinograms becomes one of joined sinograms.
class SinogramsThere final : public OpenclPointWorker
{
public:
  SinogramsThere (const Replica &replica, const families::Use &use, std::shared_ptr<const Job> j)
      : OpenclPointWorker (replica), job (std::move (j)), list (queues, replica.memory, lines_item),
        join (device, use.choice (replica.device, 1).setting, use.problem (), replica.memory, job->join, job->alone ())
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) override
  {
    std::vector<Line> lines;
    const int64_t lanes = in.lanes (), rows = in.rows ().size ();
    for (const bool mirror : {false, true})
      for (int64_t row = 0; row < rows && !(mirror && job->alone ()); row += lanes)
        for (size_t p = 0; p < job->pairs.size (); p++) {
          const auto &pair = job->pairs[p];
          lines.push_back ({place (in.offset (mirror ? pair.mirror : pair.direct, row)),
                            place (out.offset (static_cast<int64_t> (p), row))});
        }
    const auto count = divide_up (rows, lanes) * std::ssize (job->pairs);
    const auto &there = list.put (std::span<const Line> (lines));
    auto ran = join.fill (queues.kernels, from, there, {0, count}, lanes, to);
    if (!job->alone ())
      ran.last = join.add_mirrored (queues.kernels, from, there, {count, 2 * count}, lanes, to).last;
    list.until (ran.last);
    return {ran.first, ran.last};
  }

private:
  const std::shared_ptr<const Job> job;
  opencl::BlockTable list;
  OpenclJoin join;
};

// All blocks of joined projections are open until the last projection has come, as its pair may be in any of them.
class ProjectionsThere final : public Worker
{
public:
  ProjectionsThere (const Replica &replica, const families::Use &use, std::shared_ptr<const Job> j)
      : job (std::move (j)), places (job->places ()), device (as_opencl (replica.device)), monitor (replica.monitor),
        memory (replica.memory), queues (device), uploads (queues, memory), list (queues, memory, lines_item),
        clock (queues, &replica.counters),
        join (device, use.choice (replica.device, 1).setting, use.problem (), memory, job->join, job->alone ())
  {
  }
  void wait () override { clock.wait (); }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    std::vector<size_t> block_of; // by pair
    for (size_t i = 0; i < blocks.size (); i++)
      block_of.insert (block_of.end (), static_cast<size_t> (blocks[i].angles ().size ()), i);
    const IdleAfterFailure guard (queues);
    device.attempt ([&] {
      std::vector<cl::Buffer> to;
      for (const auto &block : blocks)
        to.push_back (opened (block, to.size ()));
      while (const Block in = inputs[0]->pop ()) {
        monitor.check ();
        const MemoryPiece from (in);
        uploads.until (add (in, uploads.take (from, in.bytes ()), blocks, block_of, to));
      }
      for (size_t i = 0; i < blocks.size (); i++)
        close (blocks[i], i);
    });
    output->push_all (blocks);
  }

private:
  // Memory for a block that kernels cannot write.
  struct Copy {
    cl::Buffer there;
    cl::Event brought;
    bool used = false;
  };

  const std::shared_ptr<const Job> job;
  const std::vector<Job::Where> places;
  const OpenclDevice &device;
  const Monitor &monitor;
  Allotment &memory;
  OpenclQueues queues;
  Uploads uploads;
  opencl::BlockTable list;
  families::KernelClock clock;
  OpenclJoin join;
  std::vector<Copy> copies; // by block of the work item

  cl::Buffer opened (const Block &block, size_t number)
  {
    if (copies.size () <= number)
      copies.resize (number + 1);
    auto &copy = copies[number];
    const auto direct = MemoryPiece (block).direct (queues.kernels, Use::write);
    copy.used = !direct;
    if (direct)
      return *direct;
    if (!copy.there ())
      copy.there = take_buffer (device, memory, joined_item);
    require (copy.there, block.bytes (), joined_item);
    hold (queues.kernels, copy.brought);
    return copy.there;
  }

  // Adds the projections of a block. Returns the last command.
  cl::Event add (const Block &in, const cl::Buffer &from, const std::vector<Block> &blocks,
                 const std::vector<size_t> &block_of, const std::vector<cl::Buffer> &to)
  {
    std::vector<std::vector<Line>> direct (blocks.size ()), mirror (blocks.size ());
    for (auto angle = in.angles ().begin; angle < in.angles ().end; angle++) {
      const auto &where = places[static_cast<size_t> (angle)];
      if (where.pair < 0)
        continue;
      const auto number = block_of[static_cast<size_t> (where.pair)];
      const auto &out = blocks[number];
      for (int64_t row = 0; row < in.rows ().size (); row++)
        (where.mirror ? mirror : direct)[number].push_back (
            {place (in.offset (in.angles ().place (angle), row)),
             place (out.offset (out.angles ().place (where.pair), out.rows ().place (in.rows ().at (row))))});
    }
    std::vector<Line> lines;
    for (const auto *some : {&direct, &mirror})
      for (const auto &of_block : *some)
        lines.insert (lines.end (), of_block.begin (), of_block.end ());
    if (lines.empty ())
      return kernels_done (queues);
    const auto &there = list.put (std::span<const Line> (lines));
    OpenclJoin::Span all;
    int64_t next = 0;
    for (const bool mirrored : {false, true})
      for (size_t i = 0; i < blocks.size (); i++) {
        const auto count = std::ssize ((mirrored ? mirror : direct)[i]);
        if (count == 0)
          continue;
        const Interval some{next, next + count};
        const auto ran = mirrored ? join.add_mirrored (queues.kernels, from, there, some, 1, to[i])
                                  : join.fill (queues.kernels, from, there, some, 1, to[i]);
        next += count;
        if (!all.first ())
          all.first = ran.first;
        all.last = ran.last;
      }
    list.until (all.last);
    clock.add (all.first, all.last);
    queues.kernels.flush ();
    return all.last;
  }

  void close (const Block &block, size_t number)
  {
    const MemoryPiece piece (block);
    const auto done = kernels_done (queues);
    auto &copy = copies[number];
    if (!copy.used)
      return piece.buffer->until (done, Use::write);
    copy.brought = download (queues, piece, done, [&] (const cl::CommandQueue &queue, cl::Event &there) {
      queue.enqueueReadBuffer (copy.there, CL_FALSE, 0, block.bytes (), piece.address (), nullptr, &there);
    });
  }
};

} // namespace

void opencl_memory (const Sizing &sizing, const Job &job, Bill &bill)
{
  const auto line =
      static_cast<size_t> (job.join.columns_in () * int64_t{sizing.input_layouts[0].lanes}) * sizeof (float);
  const auto lines = sizing.input_block[0] / line * sizeof (Line);
  OpenclJoin::memory (job.join, bill);
  opencl::BlockTable::memory (lines_item, lines, bill);
  add_bytes (bill, "lists of lines", 4 * lines); // they grow by factors of 2, and are put together
  if (!job.projections)
    return add_copies (sizing, bill);
  if (!sizing.input_reached)
    add_buffers (bill, Uploads::item, sizing.input_block[0], Staging::slots);
  if (!sizing.output_reached)
    add_buffers (bill, joined_item, sizing.output_block, static_cast<size_t> (sizing.output_blocks));
}

std::unique_ptr<Worker> opencl_stitcher (const Replica &replica, const families::Use &use,
                                         std::shared_ptr<const Job> job)
{
  if (job->projections)
    return std::make_unique<ProjectionsThere> (replica, use, std::move (job));
  return std::make_unique<SinogramsThere> (replica, use, std::move (job));
}

} // namespace sino::stitch_360
