// SPDX-License-Identifier: LGPL-3.0-or-later
// What the tags of TIFF files say of their pages.
#pragma once
#include "formats/sample.hpp"
#include "formats/stack.hpp"

namespace sino::files {

using namespace formats;

struct TiffPage {
  uint64_t directory; // offset of its tags
  int64_t raw;        // offset of its first pixel when all follow without compression, else -1
  int32_t file;
  int32_t number : 31; // number of the page in its file, from 1
  bool swapped : 1;
};

struct TiffPages {
  std::vector<TiffPage> pages;
  std::vector<FileStamp> files;
  Sample sample;
  int64_t lines, columns;
  Stack::Unit unit;        // the largest
  size_t decoding = 0;     // bytes that reading one takes
  std::string description; // of the first page
};

// Throws when a file is no TIFF, truncated, of a type that does not work, or of another size than the first.
TiffPages find_pages (const std::vector<std::string> &paths);

} // namespace sino::files
