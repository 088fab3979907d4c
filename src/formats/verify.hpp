// SPDX-License-Identifier: LGPL-3.0-or-later
// Verifies results: reads their pixels and compares them with the checksums that a run has stored.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/descriptor.hpp"
#include "formats/stack.hpp"
#include <memory>

namespace sino::formats {

// Adds all pixels of a stack.
SINO_VISIBLE void add_pixels (const Stack &stack, Checksums &sums);

// Whether any format can read the file.
SINO_VISIBLE bool is_read (const std::string &path);
// The checksum of a file with one image; none if it cannot be read as an image, for example because it is damaged.
SINO_VISIBLE std::optional<uint32_t> checksum_of_image (const std::string &path);

// Calls `work` with all numbers below n, in a few threads that work for the run of this thread. The first error ends
// it.
SINO_VISIBLE void in_threads (int64_t n, const std::function<void (int64_t)> &work);

// Adds some rows of files whose pixels lie one after the other: pages of lines, numbered as in `sums`.
struct PlainPixels {
  struct File {
    std::string path;
    int64_t first_pixel;
  };
  std::vector<File> files; // the pages go to these in turn
  int64_t pages, lines, line_bytes;
};
SINO_VISIBLE void add_pixels (const PlainPixels &file, const std::vector<Rows> &rows, Checksums &sums);

// Result for one output.
struct Verified {
  std::string output;                      // its path, as in the run
  const char *kind;                        // "images", "rows"
  int64_t right = 0, all = 0;              // number of images or rows that are unchanged, and of all
  std::vector<std::string> wrong, missing; // file names, or numbers of images or rows
  std::string why;                         // the error if it cannot be read at all

  bool good () const { return right == all; }
};

// Verifies all results that a path names: a file, a folder of slices or of other results, or path= of 'write'. Throws
// if there are none, or no checksums of them. `told` gets the result of each output. Uses a few threads.
SINO_VISIBLE void verify (const std::string &path, const std::function<void (const Verified &)> &told);

} // namespace sino::formats
