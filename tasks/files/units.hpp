// SPDX-License-Identifier: LGPL-3.0-or-later
// Units as files name them.
#pragma once
#include <optional>
#include <string_view>

namespace sino::files {

// How many mm a unit has; nothing for a word that is not known.
std::optional<double> millimetres (std::string_view unit);

// The same for keV of a unit of energy.
std::optional<double> kiloelectronvolts (std::string_view unit);

} // namespace sino::files
