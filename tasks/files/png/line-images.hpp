// SPDX-License-Identifier: LGPL-3.0-or-later
// Compressed images of which a line can only be had after those above it: PNG and JPEG, one in a file.
#pragma once
#include "formats/descriptor.hpp"
#include "formats/samples.hpp"
#include "formats/stack.hpp"
#include <memory>
#include <string>

namespace sino::files {

using namespace formats;

// What the head of a file says.
struct LineHead {
  Sample sample;
  int64_t lines, columns;
};

// The lines of an image, one after the other.
class LineReader
{
public:
  virtual ~LineReader () = default;
  // The next line.
  virtual void line (std::byte *to) = 0;
  // Checks what follows the last line.
  virtual void end () = 0;
};

// How files of one format are read. `title` is the file, for messages. Each throws when the file is damaged, too short,
// or of a kind that does not work.
struct LineFormat {
  bool swapped; // values of two bytes come in the other order than this machine's
  LineHead (*head) (const Descriptor &file, const std::string &title);
  std::unique_ptr<LineReader> (*open) (const Descriptor &file, const std::string &title);
  size_t (*scratch) (const LineHead &head); // bytes that a reader allocates
};

std::shared_ptr<const Stack> line_images (const std::vector<std::string> &paths, const LineFormat &format);

} // namespace sino::files
