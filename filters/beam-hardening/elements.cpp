// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/elements.hpp"
#include "base/text.hpp"
#include <cmath>
#include <map>

namespace sino::beam_hardening {

static std::map<std::string, Atom> read_table ()
{
  std::map<std::string, Atom> all;
  each_word (attenuation_table, "\n", [&] (std::string_view line) {
    const auto words = split (line, ' ');
    const auto number = [&] (size_t i) {
      double value = 0;
      parse_number (words[i], value);
      return value;
    };
    Atom atom{.symbol = words[1], .mass = number (2), .density = number (3)};
    for (size_t i = 4; i + 1 < words.size (); i += 2) {
      atom.energies.push_back (std::log (number (i)));
      atom.values.push_back (std::log (number (i + 1)));
    }
    all.emplace (atom.symbol, std::move (atom));
  });
  return all;
}

const Atom *find_atom (const std::string &symbol)
{
  static const auto all = read_table ();
  const auto found = all.find (symbol);
  return found == all.end () ? nullptr : &found->second;
}

double Atom::attenuation (double energy) const
{
  const double at = std::clamp (std::log (energy), energies.front (), energies.back ());
  const auto after = std::clamp<std::ptrdiff_t> (std::ranges::upper_bound (energies, at) - energies.begin (), 1,
                                                 std::ssize (energies) - 1);
  const auto i = static_cast<size_t> (after);
  const double share = (at - energies[i - 1]) / (energies[i] - energies[i - 1]);
  return std::exp (values[i - 1] + share * (values[i] - values[i - 1]));
}

} // namespace sino::beam_hardening
