// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"
#include <functional>
#include <string>
#include <string_view>

namespace sino {

constexpr size_t max_json_bytes = 16 << 20;
constexpr size_t max_json_depth = 64;

// Checks JSON before json-glib parses it. json-glib recurses for each bracket, keeps the last of two equal keys, wraps
// large integers, and accepts comments and other text that JSON does not have; here these are errors with line and
// column. Calls `each`, if given, with the text of every element if the document is a list: a long list then needs no
// tree for all of it. Also throws what `each` throws.
SINO_VISIBLE void scan_json (std::string_view json, const std::function<void (std::string_view element)> &each = {});

// Reads a file for scan_json (). `what`: kind of file, for messages.
SINO_VISIBLE std::string read_json (const char *what, const std::string &path);

} // namespace sino
