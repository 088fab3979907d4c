// SPDX-License-Identifier: LGPL-3.0-or-later
// The frames of a queue, and what takes the place of lost ones.
#pragma once
#include "glue/frames/frame-queue.hpp"

namespace sino {

// fail: an error; interpolate: these projections are made from those beside them; skip: they are left out. Programs
// know the numbers.
enum class Lost : uint8_t { fail, interpolate, skip };

[[noreturn]] void fail_short (int64_t came, int64_t wanted);

class Gaps
{
public:
  Gaps (FrameQueue &q, Lost l) : queue (q), lost (l) {}

  // The next frames; none after the end. Throws for a lost frame, if that is an error.
  std::optional<Chunk> pop ();
  // After the last frame: whether frames up to `end` are lost, and not only missing. Throws if that is an error, else
  // gives what takes their place.
  std::optional<Chunk> pop_to (int64_t end);

private:
  FrameQueue &queue;
  const Lost lost;
  int64_t next = 0;
  Chunk last;                 // the last frame that was handed on; no memory: none was
  std::optional<Chunk> ahead; // frames behind a gap

  Chunk hand_on (Chunk frames);
  Chunk between () const;
};

} // namespace sino
