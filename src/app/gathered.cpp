// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/gathered.hpp"
#include <algorithm>
#include <cstring>

namespace sino::app {

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
  return {frames.memory, frames.memory.get () + static_cast<size_t> (first - begin) * frames.frame_bytes};
}

void Gathered::read (Block &block) const
{
  const auto row_bytes = static_cast<size_t> (block.line ()) * size_of (block.format ().element);
  for (int64_t i = 0; i < block.angles ().size (); i++) {
    const auto frame = block.angles ().begin + i;
    const auto &[begin, frames, offset] = piece_with (frame);
    const auto inside = static_cast<size_t> (frame - begin) * frames.frame_bytes;
    const auto from = inside + static_cast<size_t> (block.rows ().begin) * row_bytes;
    const auto bytes = static_cast<size_t> (block.rows ().size ()) * row_bytes;
    auto *to = block.data () + static_cast<size_t> (i) * bytes;
    if (frames.memory)
      std::memcpy (to, frames.memory.get () + from, bytes);
    else
      file->read (to, bytes, offset + static_cast<int64_t> (from));
  }
}

} // namespace sino::app
