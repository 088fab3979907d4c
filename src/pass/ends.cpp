// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/ends.hpp"
#include "plan/demand.hpp"
#include "stream/copy.hpp"
#include "stream/host-buffer.hpp"
#include <algorithm>
#include <cstring>

namespace sino {

void StageInput::begin (std::vector<Region> regions, const Rows &rows)
{
  given = std::move (regions);
  wanted = rows;
  next = 0;
}

Block StageInput::pop ()
{
  while (next < given.size ()) {
    Block block;
    {
      const StageClock::Waiting waiting (*end.clock, StageClock::Doing::wait_for_block);
      block = end.channel.pop ();
      if (!end.on_device)
        block.buffer ()->settle ();
    }
    if (!(block.region () == given[next]))
      fail (SINO_ERROR_FAILED, "a block arrived out of order");
    next++;
    end.meter->bytes_in += static_cast<int64_t> (block.bytes ());
    if (end.meter->blocks_in++ == 0)
      end.meter->first_in = StageClock::now ();
    Rows rows = block.rows ().meet (wanted);
    if (!end.bands.empty ())
      rows = in_bands (rows);
    if (rows.empty ())
      continue;
    if (!takes_whole (block))
      block = copy (block, rows);
    if (end.target) {
      end.target->bytes_taken += rows.size () * block.angles ().size () * block.line () *
                                 static_cast<int64_t> (size_of (block.format ().element));
      if (end.samples)
        end.samples->take (block);
      if (end.slices) {
        end.target->slices_taken += rows.size ();
        if (!end.on_device)
          end.meter->newest.take (block);
      }
    }
    return block;
  }
  return {};
}

// The rows from the first to the last that lie in a band.
Rows StageInput::in_bands (const Rows &rows) const
{
  Rows seen;
  for (const auto &band : end.bands)
    if (const auto some = band.meet (rows); !some.empty ())
      seen = seen.cover (some);
  return seen;
}

bool StageInput::takes_whole (const Block &block) const
{
  return wanted.contains (block.rows ()) && block.lanes () == end.layout.lanes;
}

// Blocks of the work item that begins next are not told of: the producer may be there already.
std::optional<Filling> StageInput::filling (int64_t projections)
{
  const StageClock::Waiting waiting (*end.clock, StageClock::Doing::wait_for_block);
  auto filled = end.channel.filling (projections);
  const auto ours = [this] (const Block &block) {
    return takes_whole (block) && std::ranges::find (given, block.region ()) != given.end ();
  };
  return filled && std::ranges::all_of (*filled->blocks, ours) ? filled : std::nullopt;
}

// Copies a block for a consumer that needs fewer rows than other consumers of the stream, or the rows without lanes.
Block StageInput::copy (const Block &block, const Rows &rows) const
{
  Block part (block.format_pointer (), end.layout, {rows, block.angles ()}, end.copies->take ());
  if (end.layout.lanes > 1) // some lanes may have no row
    std::memset (part.data (), 0, part.bytes ());
  copy_common (block, part);
  return part;
}

void StageInput::check_complete () const
{
  if (next < given.size ())
    fail (SINO_ERROR_FAILED, "took %zu of the %zu blocks of an input", next, given.size ());
}

StageOutput::StageOutput (const Stage &s, std::shared_ptr<Pool> p, bool r, std::vector<Channel *> c, Meter *m,
                          StageClock *k, Lend l, Gate *g)
    : stage (s), pool (std::move (p)), reached (r), consumers (std::move (c)), meter (m), clock (k),
      lend (std::move (l)), gate (g)
{
}

void StageOutput::begin (std::vector<Region> regions)
{
  planned = std::move (regions);
  taken = pushed = 0;
  given_rows = 0;
}

Rows StageOutput::rows () const
{
  Rows all;
  for (const auto &region : planned)
    all = all.cover (region.rows);
  return all;
}

Block StageOutput::next ()
{
  if (taken == planned.size ())
    return {};
  const StageClock::Waiting waiting (*clock, StageClock::Doing::wait_for_room);
  if (gate)
    gate->pass ();
  return block_in (pool->take ());
}

Block StageOutput::next_if_free ()
{
  if (taken == planned.size () || (gate && gate->closed ()))
    return {};
  auto memory = pool->take_if_free ();
  return memory ? block_in (std::move (memory)) : Block ();
}

const Region *StageOutput::coming () const
{
  return taken < planned.size () ? &planned[taken] : nullptr;
}

StageOutput::Lend lend_of (const Net &net, const Pass &pass, const Stage &stage, const Device &device)
{
  if (stage.consumers.size () > 1 || stage.layout.lanes > 1 || on_device (net, stage, device))
    return {};
  const auto &taker = pass.stage (stage.consumers[0].first);
  auto &task = facet<Embedded> (*net.node (taker.node).task);
  if (taker.role != Stage::Role::task || !task.lends ())
    return {};
  return [&task] (const Region &region, size_t bytes, const std::shared_ptr<Buffer> &place) {
    return task.lend (region, bytes, place);
  };
}

std::shared_ptr<Pool> pool_of_copies (Monitor &monitor, const Stage &stage, size_t block)
{
  return std::make_shared<Pool> (monitor, copies_at_once (stage), [block] { return allocate_pages (block); });
}

std::shared_ptr<Pool> pool_of (const RunContext &context, Monitor &monitor, const Pass &pass, const Stage &stage,
                               const Device &device)
{
  const bool lent = static_cast<bool> (lend_of (context.net, pass, stage, device));
  const auto memory = memory_of (context.net, pass, stage, device);
  return std::make_shared<Pool> (monitor, stage.sizes.pool, [&device, memory, lent, n = stage.sizes.block] {
    return lent ? std::make_unique<Buffer> (nullptr, 0) : device.allocate (memory, n); // freed with the pool
  });
}

Block StageOutput::next_in (const std::shared_ptr<Buffer> &memory)
{
  if (stage.sizes.memory != Device::Memory::host || lend || reached)
    return Output::next_in (memory);
  const StageClock::Waiting waiting (*clock, StageClock::Doing::wait_for_room);
  auto place = pool->take (); // only holds the place; its pages are never touched
  return {stage.format, stage.layout, planned[taken++],
          std::make_shared<PlacedBuffer> (memory->data, memory->size, memory, std::move (place))};
}

Block StageOutput::block_in (std::shared_ptr<Buffer> memory)
{
  if (lend)
    memory = lend (planned[taken], block_bytes (*stage.format, stage.layout, planned[taken]), memory);
  if (!reached)
    memory->settle ();
  return {stage.format, stage.layout, planned[taken++], std::move (memory)};
}

std::vector<std::span<std::byte>> StageOutput::make_ahead ()
{
  return pool->make_ahead (std::ssize (planned));
}

void StageOutput::show (const Filling &filled)
{
  for (auto *consumer : consumers)
    consumer->show (filled);
}

void StageOutput::push (Block block)
{
  if (!block || pushed >= taken || !(block.region () == planned[pushed]))
    fail (SINO_ERROR_FAILED, "gave a block that is not in the plan");
  if (block.angles ().begin == 0)
    given_rows += block.rows ().size ();
  pushed++;
  meter->blocks_out++;
  meter->bytes_out += static_cast<int64_t> (block.bytes ());
  meter->last_out = StageClock::now ();
  for (auto *consumer : consumers)
    consumer->push (block);
}

void StageOutput::check_complete () const
{
  if (pushed < planned.size ())
    fail (SINO_ERROR_FAILED, "gave %zu of the %zu planned blocks", pushed, planned.size ());
}

} // namespace sino
