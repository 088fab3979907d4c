// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/variant.hpp"

namespace sino::cli {

// A value, which may be floating, as JSON: in lines for people, or in one that ends without a line break.
std::string json_lines (GVariant *value);
std::string json_line (GVariant *value);

} // namespace sino::cli
