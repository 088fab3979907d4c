// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads the tags of all pages of TIFF files.
#pragma once
#include "formats/sample.hpp"
#include "formats/stack.hpp"

namespace sino::files {

using namespace formats;

struct TiffPage {
  uint64_t directory; // offset of its tags
  int64_t raw;        // offset of its first pixel if all are contiguous and uncompressed, otherwise -1
  uint32_t file;
  int32_t number : 31; // number of the page in its file, from 1
  bool swapped : 1;
};

struct TiffPages {
  std::vector<TiffPage> pages;
  std::vector<FileStamp> files;
  Sample sample;
  int64_t lines, columns;
  Stack::Unit unit;         // the largest of all pages
  size_t decoding = 0;      // memory for decoding one unit
  std::string description;  // ImageDescription of the first page
  double columns_apart = 0; // by XResolution of the first page, in the file's unit of length; 0: unknown
};

// Throws if a file is no TIFF, is truncated, has an unsupported type, or another size than the first.
TiffPages find_pages (const std::vector<std::string> &paths);

} // namespace sino::files
