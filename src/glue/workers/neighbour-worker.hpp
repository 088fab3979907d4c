// SPDX-License-Identifier: LGPL-3.0-or-later
// How blocks become neighbourhoods, wherever they are worked on.
#pragma once
#include "glue/task.hpp"

namespace sino {

// How far values look.
struct Reach {
  int64_t frames = 0, lines = 0, columns = 0; // on either side
};

// A block as frames of lines.
struct FrameView {
  Interval frames; // of the stream
  Rows lines;      // of a frame
  int64_t width;   // values of a line
  int64_t step;    // from a column to the next

  explicit FrameView (const Block &block);
  // The value at which a line of a frame begins, both given by their number in the stream.
  int64_t offset (int64_t frame, int64_t line) const
  {
    return ((frame - frames.begin) * lines.size () + lines.place (line)) * width;
  }
};

// Frames and lines of the whole stream.
struct FrameCounts {
  int64_t frames, lines;
  explicit FrameCounts (const Format &format) : frames (format.axes[0].extent), lines (format.axes[1].extent) {}
};

// Puts out frames as soon as those after them that they are made of have come. Of the frames before a block, the last
// 2 * reach.frames are kept, frame i at place i % kept (): as many as are made of frames on both sides of its first.
class NeighbourWorker : public Worker
{
public:
  static constexpr char kept_item[] = "frames that are kept";

  void run (std::span<Input *const> inputs, Output *output) final;

protected:
  NeighbourWorker (const Replica &replica, Reach r) : monitor (replica.monitor), reach (r), all (*replica.inputs[0]) {}

  const Monitor &monitor;
  const Reach reach;
  const FrameCounts all;

  int64_t kept () const { return 2 * reach.frames; }

  // A block has come, a block of the output is about to be made, and is complete.
  virtual void begin (const Block & /*in*/) {}
  virtual void open (const Block & /*out*/) {}
  virtual void close (const Block & /*out*/) {}
  // Frames of the output, from the block that came last and what is kept.
  virtual void make (const Block &in, Block &out, Interval frames) = 0;
  // The next block is about to come: keeps these frames.
  virtual void keep (const Block &in, Interval frames) = 0;

private:
  Block next (Input &input, Block before);
};

} // namespace sino
