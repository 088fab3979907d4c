// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads the blocks of a stream from a stack in order. A chunk with pages of several blocks is read only once.
#pragma once
#include "formats/stack.hpp"
#include "stream/rows.hpp"
#include <memory>

namespace sino::files {

using namespace formats;

// Numbers of the pages, lines and columns of the file that are in the stream.
struct Picks {
  std::vector<int64_t> pages, lines, columns;
};

// The elements of `numbers` at some indices.
std::vector<int64_t> choose (const std::vector<int64_t> &numbers, const Rows &places);

class Reader
{
public:
  Reader (std::shared_ptr<const Stack> stack, std::shared_ptr<const Picks> picks, Reading reading);

  // Reads the pixels of some pages and lines, both counted in the stream, densely.
  void read (const Rows &pages, const Rows &lines, std::byte *out);

  // Bytes of a layer (pages that lie in one chunk) for blocks of `lines` lines.
  static size_t layer_bytes (const Stack &stack, const Picks &picks, int64_t lines);

private:
  std::shared_ptr<const Stack> stack;
  std::shared_ptr<const Picks> picks;
  Reading reading;

  // All pages of the stream that share a layer of chunks, for some lines.
  struct Layer {
    int64_t number = -1;
    Rows lines;
    size_t first = 0; // its first page in the stream
    std::vector<std::byte> pixels;
  } layer;

  void load_layer (int64_t number, size_t first, size_t end, const Rows &lines, Numbers line_numbers);
};

} // namespace sino::files
