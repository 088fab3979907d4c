// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/ends.hpp"
#include "stream/copy.hpp"
#include <cstring>

namespace sino {

StageInput::StageInput (Channel &c, std::shared_ptr<Pool> p, Layout l, bool there, Meter *m, StageClock *k, Meters *t,
                        bool s)
    : channel (c), copies (std::move (p)), layout (l), on_device (there), meter (m), clock (k), target (t), slices (s)
{
}

// The rows of `block` that are wanted, as intervals in rising order.
static std::vector<Interval> wanted_parts (const Rows &block, const Rows &wanted)
{
  std::vector<Interval> parts;
  for (const Interval a : {block.low (), block.high ()})
    for (const Interval b : {wanted.low (), wanted.high ()})
      if (const Interval both = a.meet (b); !both.empty ())
        parts.push_back (both);
  return parts;
}

void StageInput::begin (std::vector<Region> regions, const Rows &rows)
{
  given = std::move (regions);
  wanted = rows;
  next = 0;
}

Block StageInput::pop ()
{
  while (kept.empty () && next < given.size ()) {
    Block block;
    {
      const StageClock::Waiting waiting (*clock);
      block = channel.pop ();
      if (!on_device)
        block.buffer ()->settle ();
    }
    if (!(block.region () == given[next]))
      fail (SINO_ERROR_FAILED, "a block came out of order");
    next++;
    if (meter->blocks_in++ == 0)
      meter->first_in = StageClock::now ();
    keep (block);
  }
  if (kept.empty ())
    return {};
  Block block = std::move (kept.front ());
  kept.pop_front ();
  if (target) {
    const auto rows = block.rows ().size ();
    target->bytes_taken +=
        rows * block.angles ().size () * block.line () * static_cast<int64_t> (size_of (block.format ().element));
    if (slices)
      target->slices_taken += rows;
  }
  return block;
}

// What is wanted of a block. Blocks of projections hold all rows of the work item; sinograms and slices come in blocks
// of neighbouring rows, so each interval makes a block.
void StageInput::keep (const Block &block)
{
  const auto parts = wanted_parts (block.rows (), wanted);
  int64_t rows = 0;
  for (const Interval part : parts)
    rows += part.size ();
  if (rows == block.rows ().size ()) {
    kept.push_back (block.lanes () == layout.lanes ? block : copy (block, block.rows ()));
    return;
  }
  const auto kind = block.format ().kind ();
  if (parts.size () == 2 && kind != Kind::sinograms && kind != Kind::slices) {
    kept.push_back (copy (block, Rows (parts[0], parts[1])));
    return;
  }
  if (parts.size () > 2)
    fail (SINO_ERROR_FAILED, "needs rows in more than two parts");
  for (const Interval part : parts)
    kept.push_back (copy (block, part));
}

// The copy is for a consumer that wants fewer rows than another one of the same stream, or no lanes.
Block StageInput::copy (const Block &block, const Rows &rows) const
{
  Block part (block.format_pointer (), layout, {rows, block.angles ()}, copies->take ());
  if (layout.lanes > 1) // some of them without a row
    std::memset (part.data (), 0, part.bytes ());
  copy_common (block, part);
  return part;
}

void StageInput::check_complete () const
{
  if (next < given.size ())
    fail (SINO_ERROR_FAILED, "took %zu of the %zu blocks of an input", next, given.size ());
}

StageOutput::StageOutput (const Stage &s, std::shared_ptr<Pool> p, bool there, std::vector<Channel *> c, Meter *m,
                          StageClock *k)
    : stage (s), pool (std::move (p)), on_device (there), consumers (std::move (c)), meter (m), clock (k)
{
}

void StageOutput::begin (std::vector<Region> regions)
{
  planned = std::move (regions);
  taken = pushed = 0;
  rows = 0;
}

Block StageOutput::next ()
{
  if (taken == planned.size ())
    return {};
  const StageClock::Waiting waiting (*clock);
  auto memory = pool->take ();
  if (!on_device)
    memory->settle ();
  return {stage.format, stage.layout, planned[taken++], std::move (memory)};
}

void StageOutput::push (Block block)
{
  if (!block || pushed >= taken || !(block.region () == planned[pushed]))
    fail (SINO_ERROR_FAILED, "gave a block that the plan does not want there");
  if (block.angles ().begin == 0)
    rows += block.rows ().size ();
  pushed++;
  meter->blocks_out++;
  meter->last_out = StageClock::now ();
  for (auto *consumer : consumers)
    consumer->push (block);
}

void StageOutput::check_complete () const
{
  if (pushed < planned.size ())
    fail (SINO_ERROR_FAILED, "gave %zu of the %zu blocks that the plan wants", pushed, planned.size ());
}

} // namespace sino
