// SPDX-License-Identifier: LGPL-3.0-or-later
// Units of length as files name them.
#pragma once
#include <optional>
#include <string_view>

namespace sino::files {

// How many mm a unit has; nothing for a word that is not known.
std::optional<double> millimetres (std::string_view unit);

} // namespace sino::files
