// SPDX-License-Identifier: LGPL-3.0-or-later
// Words from outside, such as names of files, as people may see them: no terminal obeys what is in them, and no reader
// of lines takes one name for two lines.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <string_view>

namespace sino {

// The text with escapes as \n, \x1b and \u202e for control characters, others that are invisible, and bytes that are
// not UTF-8. What was shown before stays as it is.
SINO_VISIBLE std::string shown (std::string_view text);
// The same, but the lines of a text remain.
SINO_VISIBLE std::string shown_lines (std::string_view text);
// "'a/b.tif'"
SINO_VISIBLE std::string in_quotes (std::string_view word);

} // namespace sino
