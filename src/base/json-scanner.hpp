// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <string_view>

namespace sino {

constexpr size_t max_json_bytes = 16 << 20;
constexpr size_t max_json_depth = 64;

// Checks JSON before json-glib parses it. json-glib recurses for each bracket, keeps the last of two equal keys, wraps
// large integers, and takes comments and other things that JSON has not; here they are errors with line and column.
SINO_INTERNAL void scan_json (std::string_view json);

// The text of a file for scan_json: one byte more than that allows at most, and never more, whatever the file. `what`
// it is, for messages.
SINO_INTERNAL std::string read_json (const char *what, const std::string &path);

} // namespace sino
