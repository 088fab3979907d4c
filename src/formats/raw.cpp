// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/raw.hpp"
#include <algorithm>

namespace sino::formats {

// Consecutive whole lines are read in one call.
static void read_lines (const ReadAt &file, const RawPage &page, Numbers lines, std::byte *out)
{
  const auto pitch = page.columns * static_cast<int64_t> (size_of (page.samples.type));
  for (size_t i = 0; i < lines.size ();) {
    const auto end = end_of_run (lines, i);
    const auto bytes = (end - i) * static_cast<size_t> (pitch);
    file (out, bytes, page.offset + lines[i] * pitch);
    out += bytes;
    i = end;
  }
}

// Lines read into a buffer at once: many if they are short, so that the cost of calls is small.
static size_t lines_at_once (size_t line_bytes)
{
  return std::max<size_t> (1, (size_t{64} << 10) / line_bytes);
}

int64_t read_raw (const ReadAt &file, const RawPage &page, Numbers lines, Numbers columns, std::byte *out)
{
  const auto size = size_of (page.samples.type), to_size = size_of (page.samples.element ());
  const auto span = static_cast<size_t> (columns.back () - columns.front () + 1) * size;
  const bool dense = consecutive (columns), whole = static_cast<int64_t> (columns.size ()) == page.columns;
  const auto read = static_cast<int64_t> (lines.size () * span);
  if (page.samples.plain () && dense) {
    if (whole)
      read_lines (file, page, lines, out);
    else
      for (size_t i = 0; i < lines.size (); i++)
        file (out + i * span, span,
              page.offset + (lines[i] * page.columns + columns.front ()) * static_cast<int64_t> (size));
    if (page.samples.swapped)
      swap_bytes (out, lines.size () * columns.size (), size);
    return read;
  }
  const auto most = whole ? lines_at_once (span) : 1;
  std::vector<std::byte> buffer (std::min (most, lines.size ()) * span);
  for (size_t i = 0; i < lines.size ();) {
    const auto end = end_of_run (lines.first (std::min (i + most, lines.size ())), i);
    file (buffer.data (), (end - i) * span,
          page.offset + (lines[i] * page.columns + columns.front ()) * static_cast<int64_t> (size));
    for (auto at = i; at < end; at++)
      page.samples.take (buffer.data () + (at - i) * span, columns.front (), columns,
                         out + at * columns.size () * to_size);
    i = end;
  }
  return read;
}

int64_t read_raw (const Descriptor &file, const RawPage &page, Numbers lines, Numbers columns, std::byte *out)
{
  return read_raw ([&file] (void *to, size_t n, int64_t offset) { file.read (to, n, offset); }, page, lines, columns,
                   out);
}

size_t raw_scratch (int64_t columns, const Samples &samples)
{
  const auto line = static_cast<size_t> (columns) * size_of (samples.type);
  return samples.plain () ? line : lines_at_once (line) * line;
}

} // namespace sino::formats
