// SPDX-License-Identifier: LGPL-3.0-or-later
// Names of units in files.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace sino::files {

// The size of a unit in mm; nothing for unknown words.
std::optional<double> millimetres (std::string_view unit);

// The size of a unit of energy in keV.
std::optional<double> kiloelectronvolts (std::string_view unit);

// The size of a unit of angle in degrees: "deg", "degrees", "rad", "mrad" ...; nothing for other units.
std::optional<double> degrees_in (std::string unit);

} // namespace sino::files
