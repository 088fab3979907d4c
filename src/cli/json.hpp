// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/variant.hpp"

namespace sino::cli {

// A value, which may be floating, as JSON: in several lines for people, or in one line without a line break at its end.
std::string json_lines (GVariant *value);
std::string json_line (GVariant *value);

} // namespace sino::cli
