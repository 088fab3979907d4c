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
  std::shared_ptr<const Stack> stack; // stack of the file; if files are missing, perhaps with zeros for them
  Gaps gaps;                          // gaps between numbered files
};

// Opens a path: a file, a folder, or a pattern with * and ?, in natural order. The format is found by the bytes of the
// first file, otherwise by its suffix. `raw` takes precedence over both; for other properties than path, only if the
// bytes are not recognised. A path may name a dataset: scan.h5:/entry/images. `request` has no paths yet, `property` is
// the one with the path. `messages` gets messages for people.
Input open_input (ReadRequest request, const char *property, std::vector<std::string> &messages);

} // namespace sino::files
