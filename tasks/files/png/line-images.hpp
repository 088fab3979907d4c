// SPDX-License-Identifier: LGPL-3.0-or-later
// Compressed images whose lines can only be decoded in order: PNG and JPEG, one image per file.
#pragma once
#include "formats/descriptor.hpp"
#include "formats/samples.hpp"
#include "formats/stack.hpp"
#include <memory>
#include <string>

namespace sino::files {

using namespace formats;

// Data from the header of a file.
struct LineHead {
  Sample sample;
  int64_t lines, columns;
};

// Reads the lines of an image, one after the other.
class LineReader
{
public:
  virtual ~LineReader () = default;
  // The next line.
  virtual void line (std::byte *to) = 0;
  // Checks the data after the last line.
  virtual void end () = 0;
};

// Functions to read files of one format. `title`: the file, for messages. All throw if the file is damaged, too short,
// or of an unsupported kind.
struct LineFormat {
  bool swapped; // two-byte values come in the other byte order than this machine's
  LineHead (*head) (const Descriptor &file, const std::string &title);
  std::unique_ptr<LineReader> (*open) (const Descriptor &file, const std::string &title);
  size_t (*scratch) (const LineHead &head); // memory that a reader allocates
};

std::shared_ptr<const Stack> line_images (const std::vector<std::string> &paths, const LineFormat &format);

} // namespace sino::files
