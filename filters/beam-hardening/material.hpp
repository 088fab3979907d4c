// SPDX-License-Identifier: LGPL-3.0-or-later
// Materials by name or chemical formula, and layers of them.
#pragma once
#include "filters/beam-hardening/elements.hpp"
#include <utility>

namespace sino::beam_hardening {

struct Material {
  std::string word;                                   // as the user wrote it
  double density = 0;                                 // g/cm^3; 0: unknown
  std::vector<std::pair<const Atom *, double>> parts; // shares of the mass, which add up to 1

  double mass_attenuation (double energy) const;                                           // cm^2/g; energy in keV
  double attenuation (double energy) const { return density * mass_attenuation (energy); } // 1/cm
};

// The material of a name ("steel"), a symbol ("Al") or a formula ("Ca5(PO4)3OH"); "@3.1" after it gives the density in
// g/cm^3. `property`: for messages. Throws Error.
Material parse_material (const char *property, const std::string &word);

struct Layer {
  Material material;
  double thickness; // cm
};

// "Al 0.5 mm, Cu 100 um": layers of known density. Throws Error.
std::vector<Layer> parse_layers (const char *property, const std::string &words);

} // namespace sino::beam_hardening
