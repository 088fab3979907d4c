// SPDX-License-Identifier: LGPL-3.0-or-later
// Units as files name them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace sino::files {

// How many mm a unit has; nothing for a word that is not known.
std::optional<double> millimetres (std::string_view unit);

// The same for keV of a unit of energy.
std::optional<double> kiloelectronvolts (std::string_view unit);

// Degrees in a unit: "deg", "degrees", "rad", "mrad" ...; nothing where it is none of an angle.
std::optional<double> degrees_in (std::string unit);

} // namespace sino::files
