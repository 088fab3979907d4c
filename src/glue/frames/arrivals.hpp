// SPDX-License-Identifier: LGPL-3.0-or-later
// Puts the frames of a scan into the order of their numbers, and knows which are lost.
#pragma once
#include "stream/chunk.hpp"
#include "stream/rows.hpp"
#include <map>
#include <vector>

namespace sino {

class Arrivals
{
public:
  // next: the frames follow all before; early: others come before them; repeated: they came already; late: they are
  // counted as lost already.
  enum class Kind : uint8_t { next, early, repeated, late };
  Kind kind (const Chunk &frames) const;

  // Takes frames that are next or early. Frames that can be handed on are appended to `ready`, in order. Frames that
  // are `window` numbers behind the newest one are lost; 0: early frames are not kept, so those before them are lost.
  void add (Chunk frames, int64_t window, std::vector<Chunk> &ready);
  // Counts frames that come next as lost, without the frames themselves.
  void lose (const Chunk &frames) { pass ({frames.number, frames.number + frames.count}, false); }
  // Counts frames as lost that had been handed on.
  void lose_again (const Chunk &frames) { note ({frames.number, frames.number + frames.count}); }
  // Counts all frames before number `end` as lost that have not come.
  void give_up (int64_t end, std::vector<Chunk> &ready);

  int64_t next () const { return next_; } // number of the next frame in order
  int64_t newest () const;                // number behind the newest frame
  int64_t early_bytes () const { return early_bytes_; }
  int64_t early () const { return std::ssize (waiting); }
  const std::vector<Interval> &lost () const { return lost_; } // rising

private:
  int64_t next_ = 0, early_bytes_ = 0;
  std::map<int64_t, Chunk> waiting; // early frames by number
  std::vector<Interval> lost_;

  void pass (Interval numbers, bool came);
  void note (Interval numbers);
  void hand_on (std::vector<Chunk> &ready);
};

} // namespace sino
