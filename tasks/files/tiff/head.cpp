// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows "TIFF Revision 6.0" (Adobe, 1992) and the BigTIFF design
// (libtiff.gitlab.io/libtiff/specification/bigtiff.html).
#include "tasks/files/tiff/head.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tiff.h>

namespace sino::files {

namespace {

// Writes tags of classic TIFF or BigTIFF, in this machine's byte order.
class TagWriter
{
public:
  std::vector<std::byte> bytes;
  bool big;

  explicit TagWriter (bool b) : big (b) {}

  template <class T> void put (T value)
  {
    const auto at = bytes.size ();
    bytes.resize (at + sizeof value);
    std::memcpy (&bytes[at], &value, sizeof value);
  }
  // Writes a count or an offset.
  void put_size (uint64_t value) { big ? put (value) : put (static_cast<uint32_t> (value)); }

  size_t size () const { return big ? 8 : 4; }
  size_t entry_bytes () const { return big ? 20 : 12; }
  // Bytes of a page's tags, without texts, which are stored elsewhere.
  size_t directory_bytes (size_t entries) const { return (big ? 8 : 2) + entries * entry_bytes () + size (); }

  void entry (uint16_t tag, uint16_t type, uint64_t count, uint64_t value)
  {
    put (tag);
    put (type);
    put_size (count);
    const auto at = bytes.size ();
    if (type == TIFF_SHORT)
      put (static_cast<uint16_t> (value));
    else if (type == TIFF_LONG)
      put (static_cast<uint32_t> (value));
    else
      put_size (value);
    bytes.resize (at + size ());
  }

  // A ratio, which lies in the tag itself in BigTIFF, and otherwise at `place`.
  void ratio (uint16_t tag, uint32_t above, uint32_t below, size_t place)
  {
    if (!big)
      return entry (tag, TIFF_RATIONAL, 1, place);
    put (tag);
    put (uint16_t{TIFF_RATIONAL});
    put_size (1);
    put (above);
    put (below);
  }
};

// A number as a ratio of two 32-bit integers, exact where powers of ten below allow it; none if it has no such ratio.
template <class Ratio> std::optional<Ratio> ratio_of (double value)
{
  constexpr double most = 4294967295.0;
  if (!(value > 1 / most && value < most))
    return {};
  for (double below = 1; below <= 1e9 && value * below <= most; below *= 10)
    if (const auto above = std::round (value * below); above >= 1 && std::abs (above - value * below) <= 1e-12 * above)
      return Ratio{static_cast<uint32_t> (above), static_cast<uint32_t> (below)};
  const auto below = std::floor (std::min (most, most / value));
  return Ratio{static_cast<uint32_t> (std::round (value * below)), static_cast<uint32_t> (below)};
}

} // namespace

TiffHead::TiffHead (int64_t p, int64_t l, int64_t c, Element e, std::string d, const std::array<double, 2> &spacing)
    : pages (p), lines (l), columns (c), page_bytes (l * c * static_cast<int64_t> (size_of (e))), element (e),
      description (std::move (d))
{
  if (description.size () < 4)
    description += "   "; // a shorter text would be stored in the tag itself
  const auto down = ratio_of<Resolution> (1 / spacing[0]), across = ratio_of<Resolution> (1 / spacing[1]);
  if (spacing[0] > 0 && spacing[1] > 0 && down && across)
    resolution = {*down, *across};
  const auto pixels =
      static_cast<double> (pages) * static_cast<double> (lines * columns) * static_cast<double> (size_of (element));
  const auto most = static_cast<double> (description.size ()) + static_cast<double> (pages) * 320 + 4096;
  big = pixels + most >= 4294967296.0;
  first_ratio = (big ? 16 : 8) + (description.size () + 1 + 15) / 16 * 16;
  first_tags_ = static_cast<int64_t> (first_ratio + (resolution && !big ? 2 * sizeof (Resolution) : 0));
  first_pixel_ = (offset (pages) + 15) / 16 * 16;
}

int64_t TiffHead::offset (int64_t page) const
{
  const TagWriter w (big);
  return page == 0 ? 0
                   : first_tags_ + static_cast<int64_t> (w.directory_bytes (entries () + 1)) +
                         (page - 1) * static_cast<int64_t> (w.directory_bytes (entries ()));
}

std::vector<std::byte> TiffHead::tags (int64_t begin, int64_t end) const
{
  TagWriter w (big);
  if (begin == 0) { // the header of the file and the description
    const char order = std::endian::native == std::endian::little ? 'I' : 'M';
    w.put (order);
    w.put (order);
    w.put (static_cast<uint16_t> (big ? TIFF_VERSION_BIG : TIFF_VERSION_CLASSIC));
    if (big) {
      w.put (uint16_t{8});
      w.put (uint16_t{0});
    }
    w.put_size (static_cast<uint64_t> (first_tags_));
    for (const char c : description)
      w.put (c);
    w.bytes.resize (first_ratio);
    if (resolution && !big)
      for (const auto &[pixels, cm] : *resolution) {
        w.put (pixels);
        w.put (cm);
      }
  }
  for (int64_t page = begin; page < end; page++) {
    const auto n = entries () + (page == 0);
    big ? w.put (uint64_t{n}) : w.put (static_cast<uint16_t> (n));
    w.entry (TIFFTAG_SUBFILETYPE, TIFF_LONG, 1, pages > 1 ? FILETYPE_PAGE : 0);
    w.entry (TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, static_cast<uint64_t> (columns));
    w.entry (TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, static_cast<uint64_t> (lines));
    w.entry (TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 1, 8 * size_of (element));
    w.entry (TIFFTAG_COMPRESSION, TIFF_SHORT, 1, COMPRESSION_NONE);
    w.entry (TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, PHOTOMETRIC_MINISBLACK);
    if (page == 0)
      w.entry (TIFFTAG_IMAGEDESCRIPTION, TIFF_ASCII, description.size () + 1, big ? 16 : 8);
    w.entry (TIFFTAG_STRIPOFFSETS, big ? TIFF_LONG8 : TIFF_LONG, 1,
             static_cast<uint64_t> (first_pixel_ + page * page_bytes));
    w.entry (TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, 1, 1);
    w.entry (TIFFTAG_ROWSPERSTRIP, TIFF_LONG, 1, static_cast<uint64_t> (lines));
    w.entry (TIFFTAG_STRIPBYTECOUNTS, big ? TIFF_LONG8 : TIFF_LONG, 1, static_cast<uint64_t> (page_bytes));
    if (resolution) {
      w.ratio (TIFFTAG_XRESOLUTION, (*resolution)[1].pixels, (*resolution)[1].cm, first_ratio + sizeof (Resolution));
      w.ratio (TIFFTAG_YRESOLUTION, (*resolution)[0].pixels, (*resolution)[0].cm, first_ratio);
      w.entry (TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT, 1, RESUNIT_CENTIMETER);
    }
    const bool is_float = element == Element::f16 || element == Element::f32;
    w.entry (TIFFTAG_SAMPLEFORMAT, TIFF_SHORT, 1, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    w.put_size (page + 1 < pages ? static_cast<uint64_t> (offset (page + 1)) : 0);
  }
  if (end == pages)
    w.bytes.resize (static_cast<size_t> (first_pixel_ - offset (begin))); // pixels begin at a multiple of 16
  return std::move (w.bytes);
}

} // namespace sino::files
