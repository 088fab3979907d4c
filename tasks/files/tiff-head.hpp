// SPDX-License-Identifier: LGPL-3.0-or-later
// The part of a TIFF file before its pixels. Pages are one plain strip each, so the tags of all of them are known
// before any pixel is, and pixels are written at their offsets in any order.
#pragma once
#include "stream/element.hpp"
#include <string>
#include <vector>

namespace sino::files {

struct TiffHead {
  std::vector<std::byte> bytes;
  int64_t first_pixel;

  int64_t size (int64_t pages, int64_t page_bytes) const { return first_pixel + pages * page_bytes; }
};

// `description` goes into the first page's ImageDescription. BigTIFF when 4 GiB do not suffice.
TiffHead tiff_head (int64_t pages, int64_t lines, int64_t columns, Element element, const std::string &description);

} // namespace sino::files
