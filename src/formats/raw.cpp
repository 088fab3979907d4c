// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/raw.hpp"

namespace sino::formats {

// Whole lines that follow each other come in one go.
static void read_lines (const ReadAt &file, const RawPage &page, Numbers lines, std::byte *out)
{
  const auto pitch = page.columns * static_cast<int64_t> (page.pixel);
  for (size_t i = 0; i < lines.size ();) {
    auto end = i + 1;
    while (end < lines.size () && lines[end] == lines[end - 1] + 1)
      end++;
    const auto bytes = (end - i) * static_cast<size_t> (pitch);
    file (out, bytes, page.offset + lines[i] * pitch);
    out += bytes;
    i = end;
  }
}

int64_t read_raw (const ReadAt &file, const RawPage &page, Numbers lines, Numbers columns, std::byte *out)
{
  const auto size = static_cast<int64_t> (page.pixel);
  const auto span = static_cast<size_t> (columns.back () - columns.front () + 1) * page.pixel;
  const auto width = columns.size () * page.pixel;
  if (static_cast<int64_t> (columns.size ()) == page.columns)
    read_lines (file, page, lines, out);
  else {
    std::vector<std::byte> line (span > width ? span : 0); // columns with a step between them
    for (size_t i = 0; i < lines.size (); i++) {
      const auto offset = page.offset + (lines[i] * page.columns + columns.front ()) * size;
      auto *to = out + i * width;
      file (line.empty () ? to : line.data (), span, offset);
      if (!line.empty ())
        gather (line.data (), columns.front (), columns, page.pixel, to);
    }
  }
  if (page.swapped)
    swap_bytes (out, lines.size () * columns.size (), page.pixel);
  return static_cast<int64_t> (lines.size () * span);
}

int64_t read_raw (const Descriptor &file, const RawPage &page, Numbers lines, Numbers columns, std::byte *out)
{
  return read_raw ([&file] (void *to, size_t n, int64_t offset) { file.read (to, n, offset); }, page, lines, columns,
                   out);
}

size_t raw_scratch (const RawPage &page)
{
  return static_cast<size_t> (page.columns) * page.pixel;
}

} // namespace sino::formats
