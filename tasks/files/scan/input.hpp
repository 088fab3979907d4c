// SPDX-License-Identifier: LGPL-3.0-or-later
// Opens a path as a stack of images.
#pragma once
#include "formats/open.hpp"
#include "tasks/files/scan/sequence.hpp"

namespace sino::files {

using namespace formats;

struct Input {
  const ReadingFormat *format;
  std::shared_ptr<const ImageFile> file;
  std::shared_ptr<const Stack> stack; // the file's, or what was made of it where files are missing
  Gaps gaps;                          // between numbered files
};

// What a property asks for.
struct Wanted {
  std::string path, dataset;
  const char *images = "data";   // what they are: data, data_dark or data_white
  const char *property = "path"; // the property that has the path
  Missing missing = Missing::fail;
  std::string raw = {}; // of pixels that no head describes
};

// Opens what a path leads to: a file, a folder, or a pattern with * and ?, in natural order. The format is told by the
// bytes of the first file, else by its suffix; `raw` goes before both, for other properties than path only where the
// bytes tell nothing. A path may name a dataset: scan.h5:/entry/images. `messages` gets what people should know.
Input open_input (const Wanted &wanted, std::vector<std::string> &messages);

} // namespace sino::files
