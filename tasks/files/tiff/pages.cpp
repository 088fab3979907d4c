// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/tiff/pages.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/descriptor.hpp"
#include "tasks/files/tiff/tiff.hpp"
#include <fcntl.h>

namespace sino::files {

using namespace formats;

namespace {

Sample sample_of (const Tiff &tiff, const std::string &where)
{
  const auto bits = tiff.tag<uint16_t> (TIFFTAG_BITSPERSAMPLE, 1),
             samples = tiff.tag<uint16_t> (TIFFTAG_SAMPLESPERPIXEL, 1),
             format = tiff.tag<uint16_t> (TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if (samples != 1)
    fail (SINO_ERROR_BAD_FILE, "%s has %d values per pixel: only grey images work", where.c_str (), samples);
  if (tiff.tag<uint16_t> (TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) == PHOTOMETRIC_PALETTE)
    fail (SINO_ERROR_BAD_FILE, "%s contains indices into a colour palette: convert it to grey values", where.c_str ());
  const char letter = format == SAMPLEFORMAT_UINT     ? 'u'
                      : format == SAMPLEFORMAT_INT    ? 'i'
                      : format == SAMPLEFORMAT_IEEEFP ? 'f'
                                                      : '?';
  const auto found = text ("%c%d", letter, bits);
  if (const auto sample = sample_named (found))
    return *sample;
  fail (SINO_ERROR_BAD_FILE, "%s contains %s values: convert them to u8, u16, f16 or f32", where.c_str (),
        found.c_str ());
}

// End of n bytes from an offset; offsets of damaged files may be any number.
uint64_t end_of (uint64_t offset, uint64_t n)
{
  return n > UINT64_MAX - offset ? UINT64_MAX : offset + n;
}

// The offset of the first pixel if all pixels of the page are contiguous and uncompressed, otherwise -1. Throws if the
// page exceeds the file.
int64_t locate (const Tiff &tiff, int64_t file_size, int64_t lines, int64_t line_bytes, const std::string &where)
{
  const bool tiled = TIFFIsTiled (tiff);
  const auto n = tiled ? TIFFNumberOfTiles (tiff) : TIFFNumberOfStrips (tiff);
  const bool plain = !tiled && tiff.tag<uint16_t> (TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_NONE &&
                     tiff.tag<uint16_t> (TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) == FILLORDER_MSB2LSB;
  const auto high = std::min<int64_t> (tiff.tag<uint32_t> (TIFFTAG_ROWSPERSTRIP, UINT32_MAX), lines);
  const auto strip_bytes = static_cast<uint64_t> (high * line_bytes);
  const auto first = TIFFGetStrileOffset (tiff, 0);
  bool follow = plain;
  uint64_t end = 0;
  for (uint32_t i = 0; i < n; i++) {
    const auto offset = TIFFGetStrileOffset (tiff, i);
    follow = follow && offset == first + i * strip_bytes;
    end = std::max (end, end_of (offset, TIFFGetStrileByteCount (tiff, i)));
  }
  tiff.check ();
  if (first == 0 || end == 0)
    fail (SINO_ERROR_BAD_FILE, "%s does not give the position of its pixels%s%s", where.c_str (),
          tiff.message ().empty () ? "" : ": ", tiff.message ().c_str ());
  if (follow) // stored sizes of uncompressed strips are sometimes wrong
    end = end_of (first, static_cast<uint64_t> (lines * line_bytes));
  if (end > static_cast<uint64_t> (file_size))
    fail (SINO_ERROR_BAD_FILE,
          "%s is truncated: its pixels end at byte %" G_GUINT64_FORMAT ", the file has %" G_GINT64_FORMAT,
          where.c_str (), end, file_size);
  return follow ? static_cast<int64_t> (first) : -1;
}

// Adds the memory for decoding the strips or tiles of a page.
void add_unit (TiffPages &found, const Tiff &tiff, const std::string &where)
{
  const bool tiled = TIFFIsTiled (tiff);
  const auto n = tiled ? TIFFNumberOfTiles (tiff) : TIFFNumberOfStrips (tiff);
  const auto bytes = tiled ? TIFFTileSize (tiff) : TIFFStripSize (tiff);
  Stack::Unit unit;
  unit.lines = tiled ? tiff.tag<uint32_t> (TIFFTAG_TILELENGTH, 1)
                     : std::min<int64_t> (tiff.tag<uint32_t> (TIFFTAG_ROWSPERSTRIP, UINT32_MAX), found.lines);
  unit.columns = tiled ? tiff.tag<uint32_t> (TIFFTAG_TILEWIDTH, 1) : found.columns;
  if (bytes <= 0)
    fail (SINO_ERROR_BAD_FILE,
          "%s has pieces of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels, which libtiff cannot decode",
          where.c_str (), unit.lines, unit.columns);
  uint64_t longest = 0;
  for (uint32_t i = 0; i < n; i++) {
    const auto stored = TIFFGetStrileByteCount (tiff, i);
    unit.stored += static_cast<double> (stored) / n;
    longest = std::max (longest, stored);
  }
  const auto whole = static_cast<size_t> (bytes);
  found.decoding = std::max (found.decoding, 2 * whole + std::max (whole, static_cast<size_t> (longest)) + 65536);
  if (found.unit.stored == 0 || unit.lines * unit.columns > found.unit.lines * found.unit.columns)
    found.unit = unit;
}

// The number of images in an ImageJ description; 1 if it gives none.
int64_t images_of (const std::string &description, const std::string &title)
{
  if (!description.starts_with ("ImageJ="))
    return 1;
  for (auto line : split (description, '\n')) {
    constexpr std::string_view key = "images=";
    if (!line.starts_with (key))
      continue;
    if (line.ends_with ('\r'))
      line.pop_back ();
    int64_t images = 0;
    if (!parse_integer (line.substr (key.size ()), images) || images < 1)
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: ImageJ's description says %s", title.c_str (),
            in_quotes (line).c_str ());
    return images;
  }
  return 1;
}

// ImageJ stacks above 4 GiB, where offsets of classic TIFF end, have tags for the first image only, and a description
// with their number; see ImageJ's ij.io.FileOpener and TiffDecoder (github.com/imagej/ImageJ). Adds these images in a
// file with one page. ImageJ does not compress them: if the page is compressed, another program has copied the
// description. Throws if the file is too short for the number in the description.
void add_images_behind (TiffPages &found, const Tiff &tiff, int64_t file_size, const std::string &title)
{
  auto page = found.pages.back ();
  const char *words = tiff.tag<const char *> (TIFFTAG_IMAGEDESCRIPTION, nullptr);
  const auto images = words && page.raw >= 0 ? images_of (words, title) : 1;
  if (images == 1)
    return;
  // Available space between the pixels and the tags, or the end of the file.
  const auto bytes = found.lines * found.columns * static_cast<int64_t> (size_of (found.sample)),
             tags = static_cast<int64_t> (page.directory), end = tags > page.raw ? tags : file_size,
             behind = end - page.raw - bytes;
  // An image taken from a stack keeps the stack's description, but no other images follow it.
  if (behind < bytes)
    return;
  if (behind / bytes < images - 1)
    fail (SINO_ERROR_BAD_FILE,
          "%s is truncated: ImageJ's description says that it has %" G_GINT64_FORMAT
          " images, and it ends after %" G_GINT64_FORMAT,
          title.c_str (), images, 1 + behind / bytes);
  check_extents (title, element_of (found.sample), std::ssize (found.pages) + images - 1, found.lines, found.columns);
  for (int64_t i = 1; i < images; i++) {
    step_unless_cancelled ();
    page.raw += bytes;
    found.pages.push_back (page);
  }
}

// Distance of columns in the file's unit of length.
double columns_apart (const Tiff &tiff)
{
  const auto resolution = tiff.tag<float> (TIFFTAG_XRESOLUTION, 0);
  return resolution > 0 ? 1 / static_cast<double> (resolution) : 0;
}

void add_file (TiffPages &found, const std::vector<std::string> &paths, size_t index)
{
  const auto &path = paths[index];
  const Descriptor file (path, O_RDONLY);
  const auto size = file.size ();
  const Tiff tiff (file, path);
  tiff.check ();
  found.files.push_back (file.stamp ());
  for (int32_t number = 1;; number++) {
    step_unless_cancelled ();
    const auto where = text ("page %d of '%s'", number, path.c_str ());
    const auto columns = static_cast<int64_t> (tiff.tag<uint32_t> (TIFFTAG_IMAGEWIDTH, 0)),
               lines = static_cast<int64_t> (tiff.tag<uint32_t> (TIFFTAG_IMAGELENGTH, 0));
    const bool thumbnail = tiff.tag<uint32_t> (TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE;
    if (!thumbnail) {
      const auto sample = sample_of (tiff, where);
      check_extents (where, element_of (sample), std::ssize (found.pages) + 1, lines, columns);
      if (found.pages.empty ()) {
        found.sample = sample;
        found.lines = lines;
        found.columns = columns;
        if (const char *words = tiff.tag<const char *> (TIFFTAG_IMAGEDESCRIPTION, nullptr))
          found.description = words;
        found.columns_apart = columns_apart (tiff);
      }
      if (sample != found.sample || lines != found.lines || columns != found.columns)
        fail (SINO_ERROR_BAD_FILE,
              "%s is %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " %s, but '%s' begins with %" G_GINT64_FORMAT
              " x %" G_GINT64_FORMAT " %s: all images of a scan must have the same size and type",
              where.c_str (), lines, columns, name_of (sample), paths[0].c_str (), found.lines, found.columns,
              name_of (found.sample));
      const auto compression = tiff.tag<uint16_t> (TIFFTAG_COMPRESSION, COMPRESSION_NONE);
      if (!TIFFIsCODECConfigured (compression))
        fail (SINO_ERROR_BAD_FILE, "%s has a compression (%d) that libtiff cannot decode", where.c_str (), compression);
      const auto raw = locate (tiff, size, lines, columns * static_cast<int64_t> (size_of (sample)), where);
      found.pages.push_back (
          {TIFFCurrentDirOffset (tiff), raw, static_cast<uint32_t> (index), number, TIFFIsByteSwapped (tiff) != 0});
      if (raw < 0)
        add_unit (found, tiff, where);
    }
    if (TIFFLastDirectory (tiff)) {
      if (number == 1 && !thumbnail)
        add_images_behind (found, tiff, size, in_quotes (path));
      return;
    }
    const bool found_next = TIFFReadDirectory (tiff);
    tiff.check ();
    if (!found_next)
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
    fail (SINO_ERROR_BAD_FILE, "'%s' contains only thumbnails", paths[0].c_str ());
  return found;
}

} // namespace sino::files
