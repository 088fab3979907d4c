// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/moved-frames.hpp"
#include "base/cancellation.hpp"

namespace sino::move_pixels {

// Bytes read at once, if rows can be read separately.
static constexpr size_t enough = size_t{64} << 20;

MovedFrames::MovedFrames (std::shared_ptr<const Frames> frames, std::shared_ptr<const Move> m)
    : Frames (*frames), whole (std::move (frames)), move (std::move (m))
{
  element = move->made;
  rows = move->to.height;
  columns = move->to.width;
  scratch_bytes = reading () + whole->scratch_bytes;
}

// Returns the rows that are read together with `row`, because one unit of the original frames has all rows that they
// need.
Interval MovedFrames::rows_with (int64_t row) const
{
  const auto unit = whole->rows_with (move->needs ({row, row + 1}).begin);
  Interval all{row, row + 1};
  if (unit.size () == 1)
    return all;
  while (all.begin > 0 && unit.contains (move->needs ({all.begin - 1, all.begin})))
    all.begin--;
  while (all.end < rows && unit.contains (move->needs ({all.end, all.end + 1})))
    all.end++;
  return all;
}

size_t MovedFrames::most_frames () const
{
  int64_t most = 1;
  for (int64_t frame = 0; frame < count; frame = std::max (whole->frames_with (frame).end, frame + 1))
    most = std::max (most, whole->frames_with (frame).size ());
  return static_cast<size_t> (most);
}

size_t MovedFrames::reading () const
{
  const auto image = static_cast<size_t> (whole->rows) * whole->row_bytes ();
  // One row of the moved image may need all rows of the original.
  return std::min (most_frames () * image, std::max (enough, image)) + move->scratch (1);
}

void MovedFrames::read (Interval frames, Interval wanted, void *pixels, const Watch &watch) const
{
  auto *to = static_cast<std::byte *> (pixels);
  std::vector<std::byte> some;
  const auto fits = [&] (int64_t n, Rows part) {
    return static_cast<size_t> (n * move->needs (part).size ()) * whole->row_bytes () <= enough;
  };
  for (auto frame = frames.begin; frame < frames.end;) {
    Interval now = whole->frames_with (frame).meet ({frame, frames.end});
    if (!fits (now.size (), {wanted.begin, wanted.begin + 1}))
      now.end = now.begin + 1;
    for (auto row = wanted.begin; row < wanted.end;) {
      step_unless_cancelled ();
      Rows part{row, wanted.end};
      while (part.size () > 1 && !fits (now.size (), part))
        part.end = part.begin + (part.size () + 1) / 2;
      const auto needed = move->needs (part);
      const auto bytes = static_cast<size_t> (needed.size ()) * whole->row_bytes ();
      some.resize (static_cast<size_t> (now.size ()) * bytes);
      whole->read (now, needed, some.data (), watch);
      for (int64_t i = 0; i < now.size (); i++) {
        const auto place = (now.at (i) - frames.begin) * wanted.size () + part.begin - wanted.begin;
        move->make ({&some[static_cast<size_t> (i) * bytes], needed, whole->columns}, 0, part,
                    to + static_cast<size_t> (place) * row_bytes ());
      }
      row = part.end;
    }
    frame = now.end;
  }
}

} // namespace sino::move_pixels
