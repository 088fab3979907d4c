// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/checksums.hpp"
#include "formats/crc.hpp"
#include <utility>

namespace sino::formats {

void add_interval (std::vector<Interval> &list, Interval more)
{
  auto at = list.begin ();
  while (at != list.end () && at->end < more.begin)
    ++at;
  auto end = at;
  for (; end != list.end () && end->begin <= more.end; ++end)
    more = more.cover (*end);
  list.insert (list.erase (at, end), more);
}

Checksums::Checksums (Of o, int64_t i, int64_t l, int64_t b)
    : of (o), images (i), lines (l), line_bytes (b), sums (static_cast<size_t> (size ())), whole (sums.size ())
{
}

size_t Checksums::bytes (int64_t size)
{
  constexpr int64_t others = 16384; // bytes for incomplete images or rows
  return static_cast<size_t> (size * static_cast<int64_t> (sizeof (uint32_t)) + size / 8 + others);
}

void Checksums::add (Interval some, Interval high, const std::byte *pixels, int64_t image_bytes)
{
  if (of == Of::rows)
    return add_rows (some, high, pixels, image_bytes);
  for (auto image = some.begin; image < some.end; image++, pixels += image_bytes)
    add_image (image, high, pixels);
}

// The parts that no thread has taken before.
std::vector<Interval> Checksums::take (int64_t place, Interval parts)
{
  if (whole[static_cast<size_t> (place)])
    return {};
  auto &taken = begun[place].taken;
  std::vector<Interval> left;
  auto next = parts.begin;
  for (const auto before : taken) {
    if (const Interval gap{next, std::min (before.begin, parts.end)}; !gap.empty ())
      left.push_back (gap);
    next = std::max (next, before.end);
  }
  if (const Interval gap{next, parts.end}; !gap.empty ())
    left.push_back (gap);
  add_interval (taken, parts);
  return left;
}

void Checksums::put (int64_t place, int64_t parts, uint32_t sum)
{
  sums[static_cast<size_t> (place)] ^= sum;
  const auto at = begun.find (place);
  at->second.added += parts;
  if (at->second.added < (of == Of::images ? lines : images))
    return;
  whole[static_cast<size_t> (place)] = true;
  begun.erase (at);
}

void Checksums::add_image (int64_t image, Interval some, const std::byte *pixels)
{
  std::vector<Interval> mine;
  {
    const std::lock_guard guard (mutex);
    mine = take (image, some);
  }
  for (const auto part : mine) {
    const auto *from = pixels + (part.begin - some.begin) * line_bytes;
    const auto sum = CrcShift (static_cast<uint64_t> ((lines - part.end) * line_bytes)) (
        crc_of (from, static_cast<size_t> (part.size () * line_bytes)));
    const std::lock_guard guard (mutex);
    put (image, part.size (), sum);
  }
}

void Checksums::add_rows (Interval some, Interval high, const std::byte *pixels, int64_t image_bytes)
{
  std::vector<std::vector<Interval>> mine;
  {
    const std::lock_guard guard (mutex);
    for (auto row = high.begin; row < high.end; row++)
      mine.push_back (take (row, some));
  }
  std::vector<uint32_t> added (mine.size ());
  for (auto image = some.begin; image < some.end; image++, pixels += image_bytes) {
    const CrcShift shift (static_cast<uint64_t> ((images - image - 1) * line_bytes));
    for (size_t row = 0; row < mine.size (); row++)
      for (const auto part : mine[row])
        if (part.place (image) >= 0)
          added[row] ^=
              shift (crc_of (pixels + static_cast<int64_t> (row) * line_bytes, static_cast<size_t> (line_bytes)));
  }
  const std::lock_guard guard (mutex);
  for (size_t row = 0; row < mine.size (); row++)
    for (const auto part : mine[row])
      put (high.begin + static_cast<int64_t> (row), part.size (), std::exchange (added[row], 0));
}

void Checksums::set (int64_t place, uint32_t sum)
{
  const std::lock_guard guard (mutex);
  sums[static_cast<size_t> (place)] = sum;
  whole[static_cast<size_t> (place)] = true;
}

std::optional<uint32_t> Checksums::at (int64_t place) const
{
  const std::lock_guard guard (mutex);
  if (!whole[static_cast<size_t> (place)])
    return {};
  return sums[static_cast<size_t> (place)];
}

} // namespace sino::formats
