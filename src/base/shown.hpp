// SPDX-License-Identifier: LGPL-3.0-or-later
// Escapes words from outside, such as file names, for display: terminals must not execute control characters, and a
// name must not look like two lines.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <string_view>

namespace sino {

// The text with escapes such as \n, \x1b and \u202e for control characters, other invisible ones, and bytes that are
// not UTF-8, but for characters among `kept`. Escaped text does not change if it is escaped again.
SINO_VISIBLE std::string shown (std::string_view text, std::string_view kept = {});
// The same, but line breaks are kept.
SINO_VISIBLE std::string shown_lines (std::string_view text);
// "'a/b.tif'"
SINO_VISIBLE std::string in_quotes (std::string_view word);

} // namespace sino
