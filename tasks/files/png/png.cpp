// SPDX-License-Identifier: LGPL-3.0-or-later
// Writes PNG as its specification says (W3C, Portable Network Graphics, third edition), compressed as a whole by
// libdeflate, which is faster than libpng and zlib.
#include "tasks/files/png/png.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <libdeflate.h>
#include <string_view>

namespace sino::files {

namespace {

constexpr int level = 6;
constexpr size_t part = size_t{1} << 30; // most bytes of a chunk; the format allows 2^31 - 1

// Pixels per metre along lines and columns; 0: unknown.
struct Density {
  uint32_t down = 0, across = 0;
};

// PNG has whole numbers of pixels per metre: none if that is no good approximation.
Density density_of (const std::array<double, 2> &metres)
{
  const auto fits = [] (double size) { return size > 1 / 2147483647.0 && size < 1e-3; };
  const auto whole = [] (double size) { return static_cast<uint32_t> (std::lround (1 / size)); };
  return fits (metres[0]) && fits (metres[1]) ? Density{whole (metres[0]), whole (metres[1])} : Density{};
}

class Growing
{
public:
  std::vector<std::byte> bytes;

  void add (std::string_view some)
  {
    const auto *from = reinterpret_cast<const std::byte *> (some.data ());
    bytes.insert (bytes.end (), from, from + some.size ());
  }
  void add (uint32_t number)
  {
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes.push_back (static_cast<std::byte> (number >> shift & 0xff));
  }
  void add_chunk (std::string_view kind, const std::byte *content, size_t n)
  {
    add (static_cast<uint32_t> (n));
    const auto from = bytes.size ();
    add (kind);
    bytes.insert (bytes.end (), content, content + n);
    add (libdeflate_crc32 (0, bytes.data () + from, bytes.size () - from));
  }
  void add_chunk (std::string_view kind, const Growing &content)
  {
    add_chunk (kind, content.bytes.data (), content.bytes.size ());
  }
};

// Lines as differences to the line above, which compresses smooth images well.
std::vector<uint8_t> differences (const std::vector<uint16_t> &values, size_t lines, size_t columns, int bits)
{
  constexpr uint8_t up = 2;
  const auto size = static_cast<size_t> (bits / 8), line = 1 + columns * size;
  std::vector<uint8_t> all (lines * line);
  const std::vector<uint16_t> nothing (columns);
  const auto *above = nothing.data (), *from = values.data ();
  for (size_t y = 0; y < lines; y++, above = from, from += columns) {
    auto *to = &all[y * line];
    *to++ = up;
    if (bits == 8)
      for (size_t x = 0; x < columns; x++)
        to[x] = static_cast<uint8_t> (from[x] - above[x]);
    else
      for (size_t x = 0; x < columns; x++) {
        to[2 * x] = static_cast<uint8_t> ((from[x] >> 8) - (above[x] >> 8));
        to[2 * x + 1] = static_cast<uint8_t> (from[x] - above[x]);
      }
  }
  return all;
}

std::vector<std::byte> compressed (const std::vector<uint8_t> &bytes)
{
  const std::unique_ptr<libdeflate_compressor, Deleter<libdeflate_free_compressor>> compressor{
      libdeflate_alloc_compressor (level)};
  if (!compressor)
    fail (SINO_ERROR_MEMORY, "no memory for compression");
  std::vector<std::byte> out (libdeflate_zlib_compress_bound (compressor.get (), bytes.size ()));
  out.resize (libdeflate_zlib_compress (compressor.get (), bytes.data (), bytes.size (), out.data (), out.size ()));
  return out;
}

} // namespace

size_t png_bytes (int64_t lines, int64_t columns, int bits)
{
  constexpr size_t compressor = size_t{3} << 19;
  const auto raw = static_cast<size_t> (lines * (1 + columns * (bits / 8)));
  return 3 * (raw + raw / 1000) + static_cast<size_t> (columns) * sizeof (uint16_t) + compressor;
}

std::vector<std::byte> png (const std::vector<uint16_t> &values, int64_t lines, int64_t columns, int bits,
                            const std::array<double, 2> &metres)
{
  if (std::max (lines, columns) > INT32_MAX)
    fail (SINO_ERROR_FAILED, "%" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels are too many for PNG", columns, lines);
  Growing head, out;
  head.add (static_cast<uint32_t> (columns));
  head.add (static_cast<uint32_t> (lines));
  head.bytes.push_back (static_cast<std::byte> (bits));
  head.bytes.resize (13); // grey, and the usual compression, filters and order: 0
  const auto image =
      compressed (differences (values, static_cast<size_t> (lines), static_cast<size_t> (columns), bits));
  out.bytes.reserve (image.size () + 12 * (image.size () / part) + 128);
  out.add ("\x89PNG\r\n\x1a\n");
  out.add_chunk ("IHDR", head);
  if (const auto density = density_of (metres); density.across > 0) {
    Growing lengths;
    lengths.add (density.across);
    lengths.add (density.down);
    lengths.bytes.push_back (std::byte{1}); // per metre
    out.add_chunk ("pHYs", lengths);
  }
  for (size_t at = 0; at < image.size (); at += part)
    out.add_chunk ("IDAT", image.data () + at, std::min (part, image.size () - at));
  out.add_chunk ("IEND", {});
  return std::move (out.bytes);
}

} // namespace sino::files
