// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/extras.hpp"
#include <cstring>

namespace sino::app {

void Extras::add (std::shared_ptr<const std::byte> memory, int64_t count, size_t frame_bytes, double position)
{
  const std::lock_guard guard (mutex);
  for (int64_t i = 0; i < count; i++)
    positions.push_back (position);
  frames.push_back (std::move (memory));
  counts.push_back (count);
  sizes.push_back (frame_bytes);
}

void Extras::clear ()
{
  const std::lock_guard guard (mutex);
  frames.clear ();
  counts.clear ();
  sizes.clear ();
  positions.clear ();
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

std::shared_ptr<const Frames> Extras::read (Element element, int64_t rows, int64_t columns) const
{
  const std::lock_guard guard (mutex);
  if (frames.empty ())
    return {};
  auto made = std::make_shared<FramesInMemory> ();
  made->element = element;
  made->count = std::ssize (positions);
  made->rows = rows;
  made->columns = columns;
  made->positions = positions;
  const auto bytes = static_cast<size_t> (rows) * made->row_bytes ();
  for (const auto size : sizes)
    if (size != bytes)
      fail (SINO_ERROR_BAD_FORMAT,
            "darks or flats of %zu bytes were pushed, and rows, columns and element say %zu by now: drop them with "
            "'clear_darks_and_flats' and push others",
            size, bytes);
  for (size_t piece = 0; piece < frames.size (); piece++)
    for (int64_t i = 0; i < counts[piece]; i++)
      made->each.push_back ({frames[piece], frames[piece].get () + static_cast<size_t> (i) * bytes});
  return made;
}

} // namespace sino::app
