// SPDX-License-Identifier: LGPL-3.0-or-later
// After "Portable Network Graphics (PNG) Specification", W3C, 2003. One strip of lines, each the difference to the line
// above, which compresses smooth images well.
#include "files/png.hpp"
#include <cstring>
#include <libdeflate.h>
#include <memory>

namespace sino::files {

namespace {

void put_number (std::vector<std::byte> &out, size_t value)
{
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back (static_cast<std::byte> (value >> shift & 0xff));
}

void put_chunk (std::vector<std::byte> &out, const char *type, const std::vector<std::byte> &content)
{
  put_number (out, content.size ());
  const auto begin = out.size ();
  for (int i = 0; i < 4; i++)
    out.push_back (static_cast<std::byte> (type[i]));
  out.insert (out.end (), content.begin (), content.end ());
  put_number (out, libdeflate_crc32 (0, out.data () + begin, out.size () - begin));
}

std::vector<std::byte> compress (const std::vector<std::byte> &raw)
{
  struct Free {
    void operator() (libdeflate_compressor *c) const { libdeflate_free_compressor (c); }
  };
  const std::unique_ptr<libdeflate_compressor, Free> compressor (libdeflate_alloc_compressor (6));
  std::vector<std::byte> out (libdeflate_zlib_compress_bound (compressor.get (), raw.size ()));
  out.resize (libdeflate_zlib_compress (compressor.get (), raw.data (), raw.size (), out.data (), out.size ()));
  return out;
}

// Each line begins with the number of its filter: 2, the difference to the line above, byte by byte.
std::vector<std::byte> filtered (const std::vector<uint16_t> &values, size_t lines, size_t columns, size_t bytes)
{
  std::vector<std::byte> raw;
  raw.reserve (lines * (columns * bytes + 1));
  for (size_t line = 0; line < lines; line++) {
    raw.push_back (std::byte{2});
    for (size_t i = line * columns; i < (line + 1) * columns; i++)
      for (auto b = bytes; b-- > 0;) {
        const auto above = line > 0 ? values[i - columns] >> 8 * b : 0;
        raw.push_back (static_cast<std::byte> ((values[i] >> 8 * b) - above));
      }
  }
  return raw;
}

} // namespace

std::vector<std::byte> png (const std::vector<uint16_t> &values, int64_t lines, int64_t columns, int bits)
{
  std::vector<std::byte> out, head;
  for (const int c : {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a}) // "PNG" between what text transfers spoil
    out.push_back (static_cast<std::byte> (c));
  put_number (head, static_cast<size_t> (columns));
  put_number (head, static_cast<size_t> (lines));
  head.push_back (static_cast<std::byte> (bits));
  head.resize (13); // grey, deflate, usual filters, not interlaced
  put_chunk (out, "IHDR", head);
  const auto bytes = static_cast<size_t> (bits / 8);
  put_chunk (out, "IDAT",
             compress (filtered (values, static_cast<size_t> (lines), static_cast<size_t> (columns), bytes)));
  put_chunk (out, "IEND", {});
  return out;
}

} // namespace sino::files
