// SPDX-License-Identifier: LGPL-3.0-or-later
// All frames of a scan whose number is known only at its end: in memory, in the buffers in which they were pushed, up
// to a limit, then in a scratch file.
#pragma once
#include "base/files/scratch-file.hpp"
#include "stream/block.hpp"
#include "stream/chunk.hpp"

namespace sino {

// Shape of frames for a format of projections.
FrameShape frame_shape (const Format &format);

class SINO_VISIBLE Gathered
{
public:
  // `enough`: most bytes that are kept in memory.
  explicit Gathered (int64_t enough) : room (enough) {}

  void add (Chunk frames);

  int64_t count () const { return count_; }
  // For each frame: number in the scan; angle in degrees (empty if frames came without angles).
  const std::vector<int64_t> &numbers () const { return numbers_; }
  const std::vector<double> &angles () const { return angles_; }
  // Shape and element type of the frames.
  const FrameShape &shape () const { return pieces.front ().frames.shape; }
  bool in_memory () const { return !file; }
  // Geometry of these projections, selected from the geometry `all` of the scan. Throws if `all` has too few
  // projections.
  std::shared_ptr<const Geometry> choose (const Geometry &all) const;

  // Memory of `count` frames beginning with frame `first`, if they are contiguous; otherwise null.
  std::shared_ptr<const std::byte> whole (int64_t first, int64_t count) const;
  // Copies some rows of the frames into a block of projections.
  void read (Block &block) const;

private:
  struct Piece {
    int64_t first; // index of its first frame
    Chunk frames;  // without memory if it is in the file
    int64_t offset = 0;
  };

  int64_t room, count_ = 0, written = 0;
  std::vector<Piece> pieces;
  std::vector<int64_t> numbers_;
  std::vector<double> angles_;
  std::unique_ptr<ScratchFile> file;

  const Piece &piece_with (int64_t frame) const;
};

} // namespace sino
