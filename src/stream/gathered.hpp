// SPDX-License-Identifier: LGPL-3.0-or-later
// All frames of a scan whose number is known when they have come: as they were pushed as far as memory goes, the rest
// in a scratch file.
#pragma once
#include "base/files/scratch-file.hpp"
#include "stream/block.hpp"
#include "stream/chunk.hpp"

namespace sino {

// Shape of the frames of projections.
FrameShape frame_shape (const Format &format);

class SINO_VISIBLE Gathered
{
public:
  // `enough`: bytes that are kept in memory.
  explicit Gathered (int64_t enough) : room (enough) {}

  void add (Chunk frames);

  int64_t count () const { return count_; }
  // Number in the scan, and angle where it came with the frame, of each.
  const std::vector<int64_t> &numbers () const { return numbers_; }
  const std::vector<double> &angles () const { return angles_; }
  // What each frame is.
  const FrameShape &shape () const { return pieces.front ().frames.shape; }
  bool in_memory () const { return !file; }
  // The geometry of these projections, of one that has all of the scan. Throws where it has too few.
  std::shared_ptr<const Geometry> choose (const Geometry &all) const;

  // The memory where frames from `first` on lie side by side, null where they do not.
  std::shared_ptr<const std::byte> whole (int64_t first, int64_t count) const;
  // Copies some rows of the frames of a block of projections.
  void read (Block &block) const;

private:
  struct Piece {
    int64_t first; // place of its first frame
    Chunk frames;  // without memory where it is in the file
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
