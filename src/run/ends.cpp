// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/ends.hpp"
#include <cstring>

namespace sino {

StageInput::StageInput (Channel &c, std::shared_ptr<Pool> p, Meter *m, Meters *t, bool s)
    : channel (c), crop_pool (std::move (p)), meter (m), target (t), slices (s)
{
}

static Rows meet (const Rows &a, const Rows &b)
{
  const auto part = [&b] (Interval i) { return Rows (b.low ().meet (i), b.high ().meet (i)); };
  return part (a.low ()).cover (part (a.high ()));
}

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
      const Stopwatch clock (meter->waiting);
      block = channel.pop ();
    }
    if (!(block.region () == given[next]))
      fail (SINO_ERROR_FAILED, "a block came out of order");
    next++;
    meter->blocks_in++;
    const Rows rows = meet (block.rows (), wanted);
    if (rows.empty ())
      continue;
    if (target) {
      target->bytes_taken += static_cast<int64_t> (block.bytes ());
      if (slices)
        target->slices_taken += block.rows ().size ();
    }
    return rows == block.rows () ? block : crop (block, rows);
  }
  return {};
}

// A copy of some rows, for a consumer that wants fewer than another one of the same stream.
Block StageInput::crop (const Block &block, const Rows &rows) const
{
  const Layout layout{block.lanes ()};
  Block part (block.format_pointer (), layout, {rows, block.angles ()}, crop_pool->take ());
  const auto size = static_cast<int64_t> (size_of (block.format ().element));
  const int64_t stride = block.lanes () * size;
  std::memset (part.data (), 0, part.bytes ());
  for (int64_t a = 0; a < block.angles ().size (); a++)
    for (int64_t r = 0; r < rows.size (); r++) {
      std::byte *to = part.data () + part.offset (a, r) * size;
      const std::byte *from = block.data () + block.offset (a, block.rows ().place (rows.at (r))) * size;
      if (stride == size)
        std::memcpy (to, from, static_cast<size_t> (block.line () * size));
      else
        for (int64_t i = 0; i < block.line (); i++)
          std::memcpy (to + i * stride, from + i * stride, static_cast<size_t> (size));
    }
  return part;
}

void StageInput::check_complete () const
{
  if (next < given.size ())
    fail (SINO_ERROR_FAILED, "took %zu of the %zu blocks of an input", next, given.size ());
}

StageOutput::StageOutput (const Stage &s, std::shared_ptr<Pool> p, std::vector<Channel *> c, Meter *m)
    : stage (s), pool (std::move (p)), consumers (std::move (c)), meter (m)
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
  const Stopwatch clock (meter->waiting);
  auto memory = pool->take ();
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
  for (auto *consumer : consumers)
    consumer->push (block);
}

void StageOutput::check_complete () const
{
  if (pushed < planned.size ())
    fail (SINO_ERROR_FAILED, "gave %zu of the %zu blocks that the plan wants", pushed, planned.size ());
}

} // namespace sino
