// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/gathered.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cstring>

namespace sino {

FrameShape frame_shape (const Format &format)
{
  return {format.element, format.rows (), format.line ()};
}

void Gathered::add (Chunk frames)
{
  Piece piece{count_, std::move (frames)};
  auto &added = piece.frames;
  for (int64_t i = 0; i < added.count; i++)
    numbers_.push_back (added.number + i);
  angles_.insert (angles_.end (), added.angles.begin (), added.angles.end ());
  count_ += added.count;
  const auto bytes = static_cast<int64_t> (added.bytes ());
  if (!file && bytes <= room)
    room -= bytes;
  else {
    if (!file)
      file = std::make_unique<ScratchFile> ();
    file->write (added.memory.get (), added.bytes (), written);
    piece.offset = written;
    written += bytes;
    added.memory.reset ();
  }
  pieces.push_back (std::move (piece));
}

const Gathered::Piece &Gathered::piece_with (int64_t frame) const
{
  const auto after = std::upper_bound (pieces.begin (), pieces.end (), frame,
                                       [] (int64_t n, const Piece &piece) { return n < piece.first; });
  return *std::prev (after);
}

std::shared_ptr<const std::byte> Gathered::whole (int64_t first, int64_t count) const
{
  const auto &[begin, frames, offset] = piece_with (first);
  if (!frames.memory || first + count > begin + frames.count)
    return {};
  return {frames.memory, frames.memory.get () + static_cast<size_t> (first - begin) * frames.shape.bytes ()};
}

void Gathered::read (Block &block) const
{
  const auto row_bytes = static_cast<size_t> (block.line ()) * size_of (block.format ().element);
  for (int64_t i = 0; i < block.angles ().size (); i++) {
    const auto frame = block.angles ().begin + i;
    const auto &[begin, frames, offset] = piece_with (frame);
    const auto inside = static_cast<size_t> (frame - begin) * frames.shape.bytes ();
    const auto from = inside + static_cast<size_t> (block.rows ().begin) * row_bytes;
    const auto bytes = static_cast<size_t> (block.rows ().size ()) * row_bytes;
    auto *to = block.data () + static_cast<size_t> (i) * bytes;
    if (frames.memory)
      std::memcpy (to, frames.memory.get () + from, bytes);
    else
      file->read (to, bytes, offset + static_cast<int64_t> (from));
  }
}

std::shared_ptr<const Geometry> Gathered::choose (const Geometry &all) const
{
  Geometry some = all;
  const auto choose = [this] (auto &values) {
    if (values.size () <= 1) // one value for all projections
      return;
    auto given = std::move (values);
    values.clear ();
    for (const auto number : numbers_) {
      if (number >= std::ssize (given))
        fail (SINO_ERROR_BAD_FORMAT, "frame %lld was pushed, but the geometry has %zu projections",
              static_cast<long long> (number), given.size ());
      values.push_back (given[static_cast<size_t> (number)]);
    }
  };
  if (some.angles.size () == 1 && count_ > 1)
    fail (SINO_ERROR_BAD_FORMAT, "%lld frames were pushed, but the geometry has 1 projection",
          static_cast<long long> (count_));
  choose (some.angles);
  choose (some.axis);
  choose (some.views);
  return std::make_shared<const Geometry> (std::move (some));
}

} // namespace sino
