// SPDX-License-Identifier: LGPL-3.0-or-later
// Results held to what was written: their pixels are read, and compared with the checksums that a run has kept.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/descriptor.hpp"
#include "formats/stack.hpp"
#include <memory>

namespace sino::formats {

// Adds all pixels of a stack.
SINO_VISIBLE void add_pixels (const Stack &stack, Checksums &sums);

// Whether a format reads the file.
SINO_VISIBLE bool is_read (const std::string &path);
// The checksum of a file with one image; none where it is no image, as when it is damaged.
SINO_VISIBLE std::optional<uint32_t> checksum_of_image (const std::string &path);

// Calls `work` with all numbers below n, in a few threads that work for the run that this one works for. The first
// error ends it.
SINO_VISIBLE void in_threads (int64_t n, const std::function<void (int64_t)> &work);

// The same of some rows in a file whose pixels lie one after the other: pages of lines, as `sums` is for them.
struct PlainPixels {
  std::string path;
  int64_t first_pixel, pages, lines, line_bytes;
};
SINO_VISIBLE void add_pixels (const PlainPixels &file, const std::vector<Rows> &rows, Checksums &sums);

// What was found of an output.
struct Verified {
  std::string output;                      // its path, as the run had it
  const char *kind;                        // "images", "rows"
  int64_t right = 0, all = 0;              // how many are as they were written
  std::vector<std::string> wrong, missing; // names of files, or numbers of images or rows
  std::string why;                         // it cannot be read at all: what the error was

  bool good () const { return right == all; }
};

// All results that a path names: a file, a folder of slices or of other results, or path= of 'write'. Throws where
// there are none, or no checksums of them. `told`: each output when it is known. Works with a few threads.
SINO_VISIBLE void verify (const std::string &path, const std::function<void (const Verified &)> &told);

} // namespace sino::formats
