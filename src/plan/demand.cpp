// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the rows of each stream that a work item needs, and the blocks that contain them.
#include "plan/demand.hpp"

namespace sino {

Rows rows_needed (const Net &net, const Stage &consumer, size_t port, const Rows &rows)
{
  if (consumer.role != Stage::Role::task)
    return rows;
  const auto &node = net.node (consumer.node);
  return naming (node, [&] {
    // Nodes between the two that do not alter the stream may have added to its format, so the format of this input is
    // used.
    const Format &input = *net.input (consumer.node, port);
    if (consumer.estimates)
      for (const auto &estimate : *consumer.estimates)
        if (estimate.rows.contains (rows))
          return estimate.window;
    const Rows needed = node.task->demand (port, input, rows);
    if (!Rows (0, input.rows ()).contains (needed))
      fail (SINO_ERROR_FAILED, "requests rows outside its input '%s'", node.task->inputs ()[port].name);
    return needed;
  });
}

bool takes_lanes (const Net &net, const Stage &consumer)
{
  return consumer.role == Stage::Role::save ||
         (consumer.role == Stage::Role::task && net.node (consumer.node).task->takes_lanes ());
}

Layout layout_taken (const Net &net, const Stage &consumer, Layout given)
{
  return takes_lanes (net, consumer) ? given : Layout{};
}

int lanes_taken (const Net &net, const Pass &pass, const Stage &stage)
{
  int lanes = 1;
  for (const int producer : stage.producers)
    if (producer >= 0)
      lanes = std::max (lanes, layout_taken (net, stage, pass.stage (producer).layout).lanes);
  return lanes;
}

bool on_device (const Net &net, const Stage &stage, const Device &device)
{
  if (stage.role != Stage::Role::task)
    return false;
  const auto &node = net.node (stage.node);
  return (net.alone || !node.task->serial ()) && naming (node, [&] { return node.task->on_device (device); });
}

// The host and a device never use shared memory at the same time. The host makes the copies for consumers.
Device::Memory memory_of (const Net &net, const Pass &pass, const Stage &stage, const Device &device)
{
  using Memory = Device::Memory;
  if (device.kind == Device::Kind::native || stage.is_target () || stage.sizes.block > device.largest_block ())
    return Memory::host;
  size_t takers = 0;
  bool as_given = true;
  for (const auto &[consumer, port] : stage.consumers) {
    const auto &taker = pass.stage (consumer);
    takers += on_device (net, taker, device);
    as_given = as_given && layout_taken (net, taker, stage.layout).lanes == stage.layout.lanes;
  }
  if (takers > 0 && (stage.consumers.size () > 1 || !as_given))
    return Memory::host;
  const bool computed = on_device (net, stage, device);
  if (computed && takers > 0)
    return Memory::own;
  if ((!computed && takers == 0) || (!device.use.pinned && device.own_memory () > 0))
    return Memory::host;
  return !computed && device.use.write_combined ? Memory::sent : Memory::shared;
}

std::vector<Rows> demanded_rows (const Net &net, const Pass &pass, const Item &item)
{
  std::vector<Rows> rows (pass.stages.size ());
  for (size_t s = pass.stages.size (); s-- > 0;) {
    const auto &stage = pass.stages[s];
    if (stage.is_target ()) {
      // A target with another number of rows than the others shares their pass only if there is a single work item.
      const bool some = pass.items.size () > 1 || stage.role == Stage::Role::survey;
      rows[s] = some ? item.rows : Rows (0, stage.format->rows ());
      continue;
    }
    for (const auto &[consumer, port] : stage.consumers) {
      const auto &taker = pass.stage (consumer);
      rows[s] =
          rows[s].cover (rows_needed (net, taker, static_cast<size_t> (port), rows[static_cast<size_t> (consumer)]));
    }
  }
  return rows;
}

static void cut_rows (std::vector<Region> &list, Interval part, Interval angles, int64_t step)
{
  // Steps begin at the stream's first row, so that the lane of a row is the same in all work items.
  for (int64_t row = part.begin; row < part.end;) {
    const int64_t end = std::min ((row / step + 1) * step, part.end);
    list.push_back ({{row, end}, angles});
    row = end;
  }
}

std::vector<Region> blocks_of (const Format &format, const Rows &rows, int64_t batch, int64_t row_step)
{
  std::vector<Region> list;
  const Interval angles{0, format.angles ()};
  switch (format.kind ()) {
  case Kind::projections:
    for (int64_t a = 0; a < angles.end; a += batch)
      list.push_back ({rows, {a, std::min (a + batch, angles.end)}});
    break;
  case Kind::sinograms:
  case Kind::slices:
    cut_rows (list, rows, angles, row_step);
    break;
  case Kind::other:
    list.push_back ({rows, angles});
    break;
  }
  return list;
}

// Whether stages may leave out blocks with rows that a survey skips: from the task that collects them to the survey,
// all that take the stream give the same rows. `in_bands`: rows of each stage, for each band.
static std::vector<bool> may_skip (const Net &net, const Pass &pass, const std::vector<Rows> &bands,
                                   const std::vector<std::vector<Rows>> &in_bands)
{
  const auto count = pass.stages.size ();
  std::vector<bool> may (count);
  for (size_t s = 0; s < count; s++) {
    const auto &stage = pass.stages[s];
    const auto kind = stage.format->kind ();
    may[s] =
        stage.role == Stage::Role::survey || (stage.role == Stage::Role::task && !net.node (stage.node).is_source () &&
                                              (kind == Kind::sinograms || kind == Kind::slices));
    for (size_t b = 0; b < bands.size (); b++)
      may[s] = may[s] && in_bands[b][s] == bands[b];
  }
  const auto skips = [&may] (int s) { return may[static_cast<size_t> (s)]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t s = 0; s < count; s++) {
      const auto &stage = pass.stages[s];
      const bool collects = stage.role == Stage::Role::task && net.node (stage.node).gathers ();
      const bool ends = stage.role == Stage::Role::survey; // it drops other blocks by itself
      const bool as_before = collects || ends || std::ranges::all_of (stage.producers, skips);
      const bool as_after = std::ranges::all_of (stage.consumers, [&] (const auto &c) { return skips (c.first); });
      if (may[s] && !(as_before && as_after)) {
        may[s] = false;
        changed = true;
      }
    }
  }
  return may;
}

std::vector<std::vector<Rows>> seen_rows (const Net &net, const Pass &pass, const Item &item)
{
  std::vector<std::vector<Rows>> seen (pass.stages.size ());
  std::vector<Rows> bands;
  for (const auto &band : pass.bands)
    if (const auto rows = band.meet (item.rows); !rows.empty ())
      bands.push_back (rows);
  if (bands.empty ())
    return seen;
  std::vector<std::vector<Rows>> in_bands;
  for (const auto &band : bands)
    in_bands.push_back (demanded_rows (net, pass, {item.index, band}));
  const auto may = may_skip (net, pass, bands, in_bands);
  for (size_t s = 0; s < seen.size (); s++)
    if (may[s])
      seen[s] = bands;
  return seen;
}

std::vector<Region> with_any (std::vector<Region> blocks, const std::vector<Rows> &rows)
{
  if (!rows.empty ())
    std::erase_if (blocks, [&rows] (const Region &block) {
      return std::ranges::none_of (rows, [&block] (const Rows &some) { return !some.meet (block.rows).empty (); });
    });
  return blocks;
}

BlockCount count_blocks (const Format &format, const Rows &rows, int64_t batch, int64_t row_step)
{
  const Interval angles{0, format.angles ()};
  const auto kind = format.kind ();
  if (kind == Kind::projections)
    return {divide_up (angles.end, batch), {rows, {0, std::min (batch, angles.end)}}};
  if (kind == Kind::other)
    return {1, {rows, angles}};
  if (rows.empty ())
    return {0, {}};
  const int64_t first = std::min ((rows.begin / row_step + 1) * row_step, rows.end);
  const int64_t last = (rows.end - 1) / row_step * row_step;
  BlockCount all{(rows.end - 1) / row_step - rows.begin / row_step + 1, {}};
  for (const Interval block : {Interval{rows.begin, first}, Interval{first, std::min (first + row_step, last)},
                               Interval{std::max (last, rows.begin), rows.end}})
    if (block.size () > all.largest.rows.size ())
      all.largest = {block, angles};
  return all;
}

BlockCount count_blocks (const Pass &pass, const Stage &stage, const Rows &rows, const std::vector<Rows> &seen)
{
  if (seen.empty ())
    return count_blocks (*stage.format, rows, pass.sizes.batch, pass.row_step);
  BlockCount all{};
  for (const auto &block : with_any (blocks_of (*stage.format, rows, pass.sizes.batch, pass.row_step), seen)) {
    all.number++;
    if (block.rows.size () > all.largest.rows.size ())
      all.largest = block;
  }
  return all;
}

} // namespace sino
