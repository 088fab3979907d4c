// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats, moved as the stream that they travel with.
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

  // Bytes that reading takes at most, besides what reading the frames that come takes.
  size_t reading () const;

private:
  const std::shared_ptr<const Frames> whole;
  const std::shared_ptr<const Move> move;

  size_t most_frames () const;
};

} // namespace sino::move_pixels
