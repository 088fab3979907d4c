// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/frames.hpp"
#include "stream/gathered.hpp"
#include <memory>
#include <mutex>

namespace sino {

// Darks or flats that the program has pushed.
class SINO_VISIBLE Extras
{
public:
  // Adds frames that were taken after the first `after` frames of the scan.
  void add (Chunk frames, int64_t after);
  void clear ();
  // Begins a new scan; all frames so far were taken before it.
  void begin ();
  // The frames so far; null if there are none. `gathered`: the projections of the stream; null: all of the scan. Throws
  // if frames have another shape.
  std::shared_ptr<const Frames> read (const FrameShape &shape, const Gathered *gathered) const;

private:
  struct Piece {
    Chunk frames;
    int64_t after;
  };
  mutable std::mutex mutex;
  std::vector<Piece> pieces;
};

} // namespace sino
