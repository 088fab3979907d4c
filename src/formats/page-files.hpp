// SPDX-License-Identifier: LGPL-3.0-or-later
// Files with plain pixels after a head: a format finds the pages of one file, the rest is here.
#pragma once
#include "formats/formats.hpp"
#include "formats/raw.hpp"
#include <algorithm>
#include <bit>
#include <memory>

namespace sino::formats {

// Pages at equal distances.
struct PageRun {
  int64_t offset; // position of the first pixel in the file, in bytes
  int64_t pages = 1;
  int64_t pitch = 0; // bytes between the beginnings of two pages
};

// Data from the head of a file; not checked yet.
struct PagesFound {
  Samples samples;
  int64_t lines = 0, columns = 0;
  std::vector<PageRun> runs;

  // Adds contiguous pages that begin at an offset. Throws if no file can have this number or size of pages.
  SINO_VISIBLE void add_run (const std::string &title, int64_t offset, int64_t pages);
};

// Function that finds the pages of a file; throws if its head is wrong. `title`: the file, for messages.
using FindPages = std::function<PagesFound (const Descriptor &file, const std::string &title)>;

// The pages of all files, one after the other. Throws if they differ in shape, or exceed their files.
SINO_VISIBLE std::shared_ptr<const Stack> open_pages (const std::vector<std::string> &paths, const FindPages &find);

// Opens files that have such pages and nothing beside them: for ReadingFormat::open.
template <PagesFound (*find) (const Descriptor &file, const std::string &title)>
std::shared_ptr<const ImageFile> open_plain (const ReadRequest &request, std::vector<std::string> & /*messages*/)
{
  return std::make_shared<const ImageFile> (request.path, open_pages (request.paths, find));
}

// A word of a head for messages: the first letters, with dots for other characters.
SINO_VISIBLE std::string quoted (std::string word);

// A number of a head, converted from the byte order of the file.
template <class T> T number_at (const std::byte *head, size_t at, bool swapped)
{
  std::byte bytes[sizeof (T)];
  std::copy_n (head + at, sizeof (T), bytes);
  if (swapped)
    std::reverse (bytes, bytes + sizeof (T));
  return std::bit_cast<T> (bytes);
}

} // namespace sino::formats
