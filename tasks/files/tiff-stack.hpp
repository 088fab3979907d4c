// SPDX-License-Identifier: LGPL-3.0-or-later
// TIFF files as a stack, one page after the other.
#pragma once
#include "files/stack.hpp"
#include <memory>

namespace sino::files {

// Reads the tags of all pages and checks that they agree and lie in their files. Pages that are one run of plain pixels
// are read by pread; all others strip by strip or tile by tile through libtiff, several pages at once.
std::shared_ptr<const Stack> open_tiff_stack (const std::vector<std::string> &paths);

} // namespace sino::files
