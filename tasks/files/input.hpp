// SPDX-License-Identifier: LGPL-3.0-or-later
// Opens a path as a stack of images.
#pragma once
#include "formats/formats.hpp"
#include "tasks/files/sequence.hpp"

namespace sino::files {

using namespace formats;

struct Input {
  const ReadingFormat *format;
  std::shared_ptr<const ImageFile> file;
  std::shared_ptr<const Stack> stack; // the file's, or what was made of it where files are missing
  Gaps gaps;                          // between numbered files
};

// Opens what a path leads to: a file, a folder, or a pattern with * and ?, in natural order. The format is told by the
// bytes of the first file, else by its suffix. `images`: data, data_dark or data_white. `messages` gets what people
// should know.
Input open_input (const std::string &path, const std::string &dataset, const char *images, Missing missing,
                  std::vector<std::string> &messages);

// Throws when a file has values of a type that its format does not hold. `title` is the file, for messages.
void check_element (const ReadingFormat &format, const Stack &stack, const std::string &title);

} // namespace sino::files
