// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/neighbour-worker.hpp"
#include "base/error.hpp"

namespace sino {

// With lanes, a frame is a whole group of lanes, and frames are numbered from the group's first row. This is
// sufficient, because only filters that need no neighbouring frames get such blocks.
FrameView::FrameView (const Block &block)
{
  const auto &format = block.format ();
  const auto rows = block.rows ();
  const auto first = rows.empty () ? 0 : rows.at (0);
  step = block.lanes ();
  width = format.axes[2].extent * step;
  switch (format.kind ()) {
  case Kind::projections:
    frames = block.angles ();
    lines = rows;
    break;
  case Kind::sinograms:
    frames = {first, first + divide_up (rows.size (), step)};
    lines = block.angles ();
    break;
  default:
    frames = {first, first + rows.size ()};
    lines = {0, format.axes[1].extent};
  }
}

void NeighbourWorker::run (std::span<Input *const> inputs, Output *output)
{
  Block in;
  while (Block out = output->next ()) {
    open (out);
    const auto wanted = FrameView (out).frames;
    for (auto frame = wanted.begin; frame < wanted.end;) {
      const auto end = in ? FrameView (in).frames.end : 0;
      const auto ready = std::min (wanted.end, end == all.frames ? end : end - reach.frames);
      if (ready > frame) {
        make (in, out, {frame, ready});
        frame = ready;
      } else
        in = next (*inputs[0], std::move (in));
    }
    close (out);
    output->push (std::move (out));
  }
}

// Returns the earlier block to its pool first.
Block NeighbourWorker::next (Input &input, Block before)
{
  monitor.check ();
  if (before && reach.frames > 0) {
    const auto had = FrameView (before).frames;
    keep (before, {std::max (had.begin, had.end - kept ()), had.end});
  }
  before = {};
  Block block = input.pop ();
  if (!block)
    fail (SINO_ERROR_FAILED, "its input ends too early");
  begin (block);
  return block;
}

} // namespace sino
