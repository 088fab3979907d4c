// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/tiff-pages.hpp"
#include "base/error.hpp"
#include "files/descriptor.hpp"
#include "files/tiff.hpp"
#include <fcntl.h>

namespace sino::files {

namespace {

Element element_of (const Tiff &tiff, const std::string &where)
{
  const auto bits = tiff.tag<uint16_t> (TIFFTAG_BITSPERSAMPLE, 1),
             samples = tiff.tag<uint16_t> (TIFFTAG_SAMPLESPERPIXEL, 1),
             format = tiff.tag<uint16_t> (TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if (samples != 1)
    fail (SINO_ERROR_BAD_FILE, "%s has %d values per pixel: only grey images work", where.c_str (), samples);
  if (format == SAMPLEFORMAT_UINT && bits == 8)
    return Element::u8;
  if (format == SAMPLEFORMAT_UINT && bits == 16)
    return Element::u16;
  if (format == SAMPLEFORMAT_IEEEFP && bits == 16)
    return Element::f16;
  if (format == SAMPLEFORMAT_IEEEFP && bits == 32)
    return Element::f32;
  const char letter = format == SAMPLEFORMAT_UINT ? 'u' : format == SAMPLEFORMAT_INT ? 'i' : 'f';
  fail (SINO_ERROR_BAD_FILE, "%s holds %c%d values: convert them to u8, u16, f16 or f32, which work", where.c_str (),
        letter, bits);
}

// The offset of the first pixel when all of the page follow each other as they are, else -1. Throws when the page lies
// beyond the end of the file.
int64_t locate (const Tiff &tiff, int64_t file_size, int64_t lines, int64_t line_bytes, const std::string &where)
{
  const bool tiled = TIFFIsTiled (tiff);
  const auto n = tiled ? TIFFNumberOfTiles (tiff) : TIFFNumberOfStrips (tiff);
  const bool plain = !tiled && tiff.tag<uint16_t> (TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_NONE &&
                     tiff.tag<uint16_t> (TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) == FILLORDER_MSB2LSB;
  const auto high = std::min<int64_t> (tiff.tag<uint32_t> (TIFFTAG_ROWSPERSTRIP, UINT32_MAX), lines);
  const auto first = static_cast<int64_t> (TIFFGetStrileOffset (tiff, 0));
  bool follow = plain;
  int64_t end = 0;
  for (uint32_t i = 0; i < n; i++) {
    const auto offset = static_cast<int64_t> (TIFFGetStrileOffset (tiff, i));
    follow = follow && offset == first + static_cast<int64_t> (i) * high * line_bytes;
    end = std::max (end, offset + static_cast<int64_t> (TIFFGetStrileByteCount (tiff, i)));
  }
  if (follow) // the sizes of plain strips are not always stored rightly
    end = first + lines * line_bytes;
  if (end > file_size || first <= 0)
    fail (SINO_ERROR_BAD_FILE,
          "%s is truncated: its pixels end at byte %" G_GINT64_FORMAT ", the file has %" G_GINT64_FORMAT,
          where.c_str (), end, file_size);
  return follow ? first : -1;
}

Stack::Unit unit_of (const Tiff &tiff, int64_t lines, int64_t columns)
{
  const bool tiled = TIFFIsTiled (tiff);
  const auto n = tiled ? TIFFNumberOfTiles (tiff) : TIFFNumberOfStrips (tiff);
  Stack::Unit unit;
  unit.lines = tiled ? tiff.tag<uint32_t> (TIFFTAG_TILELENGTH, 1)
                     : std::min<int64_t> (tiff.tag<uint32_t> (TIFFTAG_ROWSPERSTRIP, UINT32_MAX), lines);
  unit.columns = tiled ? tiff.tag<uint32_t> (TIFFTAG_TILEWIDTH, 1) : columns;
  for (uint32_t i = 0; i < n; i++)
    unit.stored += static_cast<double> (TIFFGetStrileByteCount (tiff, i)) / n;
  return unit;
}

void add_file (TiffPages &found, const std::vector<std::string> &paths, size_t index)
{
  const auto &path = paths[index];
  const auto size = Descriptor (path, O_RDONLY).size ();
  const Tiff tiff (path);
  for (int32_t number = 1;; number++) {
    const auto where = text ("page %d of '%s'", number, path.c_str ());
    const auto columns = static_cast<int64_t> (tiff.tag<uint32_t> (TIFFTAG_IMAGEWIDTH, 0)),
               lines = static_cast<int64_t> (tiff.tag<uint32_t> (TIFFTAG_IMAGELENGTH, 0));
    const bool thumbnail = tiff.tag<uint32_t> (TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE;
    if (!thumbnail) {
      const auto element = element_of (tiff, where);
      if (found.pages.empty ()) {
        found.element = element;
        found.lines = lines;
        found.columns = columns;
      }
      if (element != found.element || lines != found.lines || columns != found.columns)
        fail (SINO_ERROR_BAD_FILE,
              "%s is %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " %s, but '%s' begins with %" G_GINT64_FORMAT
              " x %" G_GINT64_FORMAT " %s: all images of a scan must be alike",
              where.c_str (), lines, columns, name_of (element), paths[0].c_str (), found.lines, found.columns,
              name_of (found.element));
      const auto compression = tiff.tag<uint16_t> (TIFFTAG_COMPRESSION, COMPRESSION_NONE);
      if (!TIFFIsCODECConfigured (compression))
        fail (SINO_ERROR_BAD_FILE, "%s is compressed in a way (%d) that libtiff cannot decode", where.c_str (),
              compression);
      const auto raw = locate (tiff, size, lines, columns * static_cast<int64_t> (size_of (element)), where);
      found.pages.push_back (
          {TIFFCurrentDirOffset (tiff), raw, static_cast<int32_t> (index), number, TIFFIsByteSwapped (tiff) != 0});
      if (raw < 0 && found.unit.stored == 0)
        found.unit = unit_of (tiff, lines, columns);
    }
    if (TIFFLastDirectory (tiff))
      return;
    if (!TIFFReadDirectory (tiff))
      fail (SINO_ERROR_BAD_FILE, "page %d of '%s' is truncated or damaged: %s", number + 1, path.c_str (),
            tiff.message ().c_str ());
  }
}

} // namespace

TiffPages find_pages (const std::vector<std::string> &paths)
{
  TiffPages found{};
  for (size_t i = 0; i < paths.size (); i++)
    add_file (found, paths, i);
  if (found.pages.empty ())
    fail (SINO_ERROR_BAD_FILE, "'%s' has thumbnails only", paths[0].c_str ());
  return found;
}

} // namespace sino::files
