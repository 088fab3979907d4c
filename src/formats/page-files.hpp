// SPDX-License-Identifier: LGPL-3.0-or-later
// Files of plain pixels behind heads: a format says where the pages of one file are, all else is here.
#pragma once
#include "formats/raw.hpp"
#include <algorithm>
#include <bit>
#include <memory>

namespace sino::formats {

// Pages at equal distances.
struct PageRun {
  int64_t offset; // place of the first pixel
  int64_t pages = 1;
  int64_t pitch = 0; // bytes from a page to the next
};

// What the head of a file says; nothing of it need be true.
struct PagesFound {
  Samples samples;
  int64_t lines = 0, columns = 0;
  std::vector<PageRun> runs;

  // Pages that follow each other from an offset on. Throws when no file has as many or as large ones.
  SINO_VISIBLE void add_run (const std::string &title, int64_t offset, int64_t pages);
};

// Throws what is wrong with the head of a file. `title` is the file, for messages.
using FindPages = std::function<PagesFound (const Descriptor &file, const std::string &title)>;

// The pages of all files, one after the other. Throws when they are not alike, or do not lie in their files.
SINO_VISIBLE std::shared_ptr<const Stack> open_pages (const std::vector<std::string> &paths, const FindPages &find);

// A word of a head as messages show it: the first letters, and dots for what is none.
SINO_VISIBLE std::string quoted (std::string word);

// A number of a head in the byte order of the file.
template <class T> T number_at (const std::byte *head, size_t at, bool swapped)
{
  std::byte bytes[sizeof (T)];
  std::copy_n (head + at, sizeof (T), bytes);
  if (swapped)
    std::reverse (bytes, bytes + sizeof (T));
  return std::bit_cast<T> (bytes);
}

} // namespace sino::formats
