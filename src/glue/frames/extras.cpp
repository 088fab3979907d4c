// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/frames/extras.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cstring>

namespace sino {

void Extras::add (Chunk frames, int64_t after)
{
  const std::lock_guard guard (mutex);
  pieces.push_back ({std::move (frames), after});
}

void Extras::clear ()
{
  const std::lock_guard guard (mutex);
  pieces.clear ();
}

void Extras::begin ()
{
  const std::lock_guard guard (mutex);
  for (auto &piece : pieces)
    piece.after = 0;
}

namespace {

class FramesInMemory final : public Frames
{
public:
  std::vector<std::shared_ptr<const std::byte>> each;

  void read (Interval some, Interval lines, void *pixels, const Watch &) const override
  {
    const auto bytes = static_cast<size_t> (lines.size ()) * row_bytes ();
    auto *to = static_cast<std::byte *> (pixels);
    for (auto i = some.begin; i < some.end; i++, to += bytes)
      std::memcpy (to, each[static_cast<size_t> (i)].get () + static_cast<size_t> (lines.begin) * row_bytes (), bytes);
  }
};

} // namespace

std::shared_ptr<const Frames> Extras::read (const FrameShape &shape, const Gathered *gathered) const
{
  const std::lock_guard guard (mutex);
  if (pieces.empty ())
    return {};
  auto made = std::make_shared<FramesInMemory> ();
  made->element = shape.element;
  made->rows = shape.rows;
  made->columns = shape.columns;
  for (const auto &[frames, after] : pieces) {
    if (!(frames.shape == shape))
      fail (SINO_ERROR_BAD_FORMAT,
            "darks or flats of %s were pushed, but frames are %s: remove them (clear_darks_and_flats), and push others",
            frames.shape.describe ().c_str (), shape.describe ().c_str ());
    auto place = after; // number of the next projection in the stream
    if (gathered)
      place = std::ranges::lower_bound (gathered->numbers (), after) - gathered->numbers ().begin ();
    for (int64_t i = 0; i < frames.count; i++) {
      made->each.push_back ({frames.memory, frames.memory.get () + static_cast<size_t> (i) * shape.bytes ()});
      made->positions.push_back (static_cast<double> (place) - 0.5);
    }
  }
  made->count = std::ssize (made->each);
  return made;
}

} // namespace sino
