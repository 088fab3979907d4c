// SPDX-License-Identifier: LGPL-3.0-or-later
// The part of a TIFF file before its pixels. Each page is one uncompressed strip, so all tags are known before any
// pixel, and pixels can be written at their offsets in any order. BigTIFF if 4 GiB do not suffice.
#pragma once
#include "stream/element.hpp"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sino::files {

class TiffHead
{
public:
  // `description`: for ImageDescription of the first page. `spacing`: distances of lines and columns in cm; 0: unknown.
  TiffHead (int64_t pages, int64_t lines, int64_t columns, Element element, std::string description,
            const std::array<double, 2> &spacing = {});

  int64_t first_pixel () const { return first_pixel_; }
  // Size of the whole file in bytes.
  int64_t size () const { return first_pixel_ + pages * page_bytes; }

  // offset (): where the tags of a page begin; for the first page, including the file header. tags (): the tags of some
  // pages. Tags are made in parts, so that a file of a million pages needs memory for only a few of them.
  int64_t offset (int64_t page) const;
  std::vector<std::byte> tags (int64_t begin, int64_t end) const;

private:
  size_t entries () const { return resolution ? 14 : 11; } // tags of a page; the first page has one more
  int64_t pages, lines, columns, page_bytes;
  Element element;
  std::string description;
  // Pixels per cm along lines and columns, as ratios.
  struct Resolution {
    uint32_t pixels, cm;
  };
  std::optional<std::array<Resolution, 2>> resolution;
  bool big;
  size_t first_ratio = 0; // where the ratios of the resolution lie in classic TIFF
  int64_t first_tags_ = 0, first_pixel_ = 0;
};

} // namespace sino::files
