// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats, moved like the stream that they belong to.
#pragma once
#include "filters/move-pixels/move.hpp"
#include "stream/frames.hpp"
#include <memory>

namespace sino::move_pixels {

class MovedFrames final : public Frames
{
public:
  MovedFrames (std::shared_ptr<const Frames> frames, std::shared_ptr<const Move> move);

  Interval frames_with (int64_t frame) const override { return whole->frames_with (frame); }
  Interval rows_with (int64_t row) const override;
  void read (Interval frames, Interval rows, void *pixels, const Watch &watch) const override;

  // Upper limit of the bytes for reading, besides those for reading the original frames.
  size_t reading () const;

private:
  const std::shared_ptr<const Frames> whole;
  const std::shared_ptr<const Move> move;

  size_t most_frames () const;
};

} // namespace sino::move_pixels
