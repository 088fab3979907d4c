// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/png/png.hpp"
#include "base/error.hpp"
#include <cmath>
#include <png.h>
#include <zlib.h>

namespace sino::files {

namespace {

// The file written so far, and the error, if any.
struct Growing {
  std::vector<std::byte> bytes;
  std::string error;
};

void append (png_structp png, png_bytep data, size_t n)
{
  auto &out = static_cast<Growing *> (png_get_io_ptr (png))->bytes;
  const auto *from = reinterpret_cast<const std::byte *> (data);
  out.insert (out.end (), from, from + n);
}

void stop (png_structp png, png_const_charp why)
{
  static_cast<Growing *> (png_get_error_ptr (png))->error = why;
  png_longjmp (png, 1);
}

// Pixels per metre along lines and columns; 0: unknown.
struct Density {
  uint32_t down = 0, across = 0;
};

// No local variable has a destructor here, because libpng exits by longjmp.
bool draw (png_structp png, png_infop info, const uint16_t *values, uint32_t lines, uint32_t columns, int bits,
           Density density, png_bytep line)
{
  if (setjmp (png_jmpbuf (png)))
    return false;
  png_set_IHDR (png, info, columns, lines, bits, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                PNG_FILTER_TYPE_DEFAULT);
  if (density.across > 0)
    png_set_pHYs (png, info, density.across, density.down, PNG_RESOLUTION_METER);
  png_set_filter (png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP); // compresses smooth images well
  png_set_compression_strategy (png, Z_RLE); // makes files of noise as small as the usual one, in a quarter of the time
  png_write_info (png, info);
  for (uint32_t y = 0; y < lines; y++) {
    png_bytep to = line;
    for (uint32_t x = 0; x < columns; x++) {
      const uint16_t value = values[size_t{y} * columns + x];
      if (bits == 16)
        *to++ = static_cast<png_byte> (value >> 8);
      *to++ = static_cast<png_byte> (value & 0xff);
    }
    png_write_row (png, line);
  }
  png_write_end (png, info);
  return true;
}

} // namespace

// PNG has whole numbers of pixels per metre: none if that is no good approximation.
static Density density_of (const std::array<double, 2> &metres)
{
  const auto fits = [] (double size) { return size > 1 / 2147483647.0 && size < 1e-3; };
  const auto whole = [] (double size) { return static_cast<uint32_t> (std::lround (1 / size)); };
  return fits (metres[0]) && fits (metres[1]) ? Density{whole (metres[0]), whole (metres[1])} : Density{};
}

std::vector<std::byte> png (const std::vector<uint16_t> &values, int64_t lines, int64_t columns, int bits,
                            const std::array<double, 2> &metres)
{
  Growing out;
  std::vector<png_byte> line (static_cast<size_t> (columns) * 2);
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, &out, stop, [] (png_structp, png_const_charp) {});
  png_infop info = png ? png_create_info_struct (png) : nullptr;
  if (info)
    png_set_write_fn (png, &out, append, nullptr);
  const bool done = info && draw (png, info, values.data (), static_cast<uint32_t> (lines),
                                  static_cast<uint32_t> (columns), bits, density_of (metres), line.data ());
  png_destroy_write_struct (&png, &info);
  if (!done)
    fail (SINO_ERROR_FAILED, "libpng cannot draw %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels: %s", columns,
          lines, out.error.empty () ? "out of memory" : out.error.c_str ());
  return std::move (out.bytes);
}

} // namespace sino::files
