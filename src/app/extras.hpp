// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/frames.hpp"
#include "stream/gathered.hpp"
#include <memory>
#include <mutex>

namespace sino::app {

// Darks or flats that the program pushed.
class Extras
{
public:
  // They were taken after so many frames of the scan.
  void add (Chunk frames, int64_t after);
  void clear ();
  // A new scan: they were taken before it.
  void begin ();
  // The frames that there are now; null: none. `gathered`: the projections of the stream; null: all of the scan. Throws
  // where frames have another shape.
  std::shared_ptr<const Frames> read (const FrameShape &shape, const Gathered *gathered) const;

private:
  struct Piece {
    Chunk frames;
    int64_t after;
  };
  mutable std::mutex mutex;
  std::vector<Piece> pieces;
};

} // namespace sino::app
