// SPDX-License-Identifier: LGPL-3.0-or-later
// Text files of other programs, in the encodings that they have.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <string>

namespace sino {

// The text of a file in UTF-8. The file may be UTF-16 with its mark, or UTF-8 with or without it. `what`, `most`: as
// for read_input ().
SINO_VISIBLE std::string read_text (const char *what, const std::string &path, size_t most);

// The text in UTF-8, if it is not that already: of Windows-1252, which older programs write.
SINO_VISIBLE std::string from_windows (std::string text);

} // namespace sino
