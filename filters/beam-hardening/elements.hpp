// SPDX-License-Identifier: LGPL-3.0-or-later
// Mass attenuation of the elements H to U: attenuation.txt, which attenuation.py makes.
#pragma once
#include <string>
#include <vector>

namespace sino::beam_hardening {

constexpr double least_energy = 5, greatest_energy = 500; // keV, of the table

struct Atom {
  std::string symbol;
  double mass = 0;                          // g/mol
  double density = 0;                       // of the pure element, g/cm^3
  std::vector<double> energies, values;     // logarithms of keV and cm^2/g
  double attenuation (double energy) const; // cm^2/g; the energy in keV is limited to the table
};

// The element of a symbol, such as "Fe"; null if there is none.
const Atom *find_atom (const std::string &symbol);

extern const char *const attenuation_table;

} // namespace sino::beam_hardening
