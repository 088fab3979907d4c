// SPDX-License-Identifier: LGPL-3.0-or-later
// Collects blocks into neighbourhoods, on any device.
#pragma once
#include "glue/task.hpp"

namespace sino {

// Number of neighbours that a value depends on.
struct Reach {
  int64_t frames = 0, lines = 0, columns = 0; // on each side
};

// A block as frames of lines.
struct FrameView {
  Interval frames; // frames in the stream
  Rows lines;      // lines of a frame
  int64_t width;   // values per line
  int64_t step;    // distance between columns, in values

  explicit FrameView (const Block &block);
  // Offset of a line of a frame, both given by their number in the stream, in values.
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

// Outputs a frame when all later frames that it depends on have come. Keeps the last 2 * reach.frames frames before the
// present block, frame i at place i % kept (), because the first frames of a block need them.
class NeighbourWorker : public Worker
{
public:
  static constexpr char kept_item[] = "frames that are kept";

  void run (std::span<Input *const> inputs, Output *output) override;

protected:
  NeighbourWorker (const Replica &replica, Reach r) : monitor (replica.monitor), reach (r), all (*replica.inputs[0]) {}

  const Monitor &monitor;
  const Reach reach;
  const FrameCounts all;

  int64_t kept () const { return 2 * reach.frames; }

  // Called when a block has come, before an output block is made, and after it is complete.
  virtual void begin (const Block & /*in*/) {}
  virtual void open (const Block & /*out*/) {}
  virtual void close (const Block & /*out*/) {}
  // Makes frames of the output from the last input block and the kept frames.
  virtual void make (const Block &in, Block &out, Interval frames) = 0;
  // Called before the next block comes: keeps these frames.
  virtual void keep (const Block &in, Interval frames) = 0;

private:
  Block next (Input &input, Block before);
};

} // namespace sino
