// SPDX-License-Identifier: LGPL-3.0-or-later
// The part of a TIFF file before its pixels. Pages are one plain strip each, so the tags of all of them are known
// before any pixel is, and pixels are written at their offsets in any order. BigTIFF when 4 GiB do not suffice.
#pragma once
#include "stream/element.hpp"
#include <string>
#include <vector>

namespace sino::files {

class TiffHead
{
public:
  // `description` goes into the first page's ImageDescription.
  TiffHead (int64_t pages, int64_t lines, int64_t columns, Element element, std::string description);

  int64_t first_pixel () const { return first_pixel_; }
  // Bytes of the whole file.
  int64_t size () const { return first_pixel_ + pages * page_bytes; }

  // Where the tags of a page begin, those of the first page with what a file begins with; and the tags of some pages.
  // Pages are made in parts, so that a file of a million pages needs memory for a few of them only.
  int64_t offset (int64_t page) const;
  std::vector<std::byte> tags (int64_t begin, int64_t end) const;

private:
  int64_t pages, lines, columns, page_bytes;
  Element element;
  std::string description;
  bool big;
  int64_t first_tags_ = 0, first_pixel_ = 0;
};

} // namespace sino::files
