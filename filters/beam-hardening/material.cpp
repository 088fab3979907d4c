// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/material.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include <cmath>
#include <map>
#include <optional>

namespace sino::beam_hardening {

namespace {

struct Named {
  const char *name, *formula;
  double density;
};

// Alloys are given by the mass of their elements, as "Fe:0.98 Mn:0.02".
constexpr Named known[] = {
    {"water", "H2O", 1},
    {"acrylic", "C5H8O2", 1.18},
    {"polyethylene", "C2H4", 0.94},
    {"polypropylene", "C3H6", 0.9},
    {"polystyrene", "C8H8", 1.05},
    {"polycarbonate", "C16H14O3", 1.2},
    {"nylon", "C6H11NO", 1.14},
    {"peek", "C19H12O3", 1.3},
    {"teflon", "C2F4", 2.2},
    {"quartz", "SiO2", 2.65},
    {"calcite", "CaCO3", 2.71},
    {"alumina", "Al2O3", 3.97},
    {"zirconia", "ZrO2", 5.68},
    {"hydroxyapatite", "Ca5(PO4)3OH", 3.16},
    // cortical bone of ICRU report 44
    {"bone", "H:0.034 C:0.155 N:0.042 O:0.435 Na:0.001 Mg:0.002 P:0.103 S:0.003 Ca:0.225", 1.92},
    {"steel", "Fe:0.987 Mn:0.008 C:0.002 Si:0.003", 7.85},
    {"stainless-steel", "Fe:0.69 Cr:0.19 Ni:0.1 Mn:0.02", 7.93},
    {"brass", "Cu:0.63 Zn:0.37", 8.44},
    {"bronze", "Cu:0.89 Sn:0.11", 8.8},
    {"csi", "CsI", 4.51},
    {"gadox", "Gd2O2S", 7.34},
};

using Shares = std::map<const Atom *, double>;

const Atom *atom_of (const std::string &symbol, const char *property, const std::string &word)
{
  const auto *atom = find_atom (symbol);
  if (!atom)
    fail (SINO_ERROR_BAD_PROPERTY,
          "%s=%s: %s is no element from H to U: give a formula, such as Al2O3, or one of these names: %s", property,
          word.c_str (), in_quotes (symbol).c_str (),
          join (known, ", ", [] (const Named &each) { return std::string (each.name); }).c_str ());
  return atom;
}

// A chemical formula: FORMULA = { (SYMBOL | "(" FORMULA ")") [NUMBER] }.
class Formula
{
public:
  Formula (const char *p, const std::string &w, std::string_view t) : property (p), word (w), text (t) {}

  // Masses of the elements in a mole.
  Shares masses ()
  {
    auto all = group ();
    if (at < text.size () || all.empty ())
      atom_of (std::string (text.substr (std::min (at, text.size ()))), property, word);
    return all;
  }

private:
  const char *const property;
  const std::string &word;
  const std::string_view text;
  size_t at = 0;

  char next () const { return at < text.size () ? text[at] : '\0'; }

  static constexpr int deepest = 16;
  static constexpr double most_atoms = 1e6;

  Shares group (int depth = 0)
  {
    if (depth > deepest)
      fail (SINO_ERROR_BAD_PROPERTY, "%s has more than %d parentheses in each other", property, deepest);
    Shares all;
    while (next () == '(' || g_ascii_isupper (next ())) {
      Shares some;
      if (next () == '(') {
        at++;
        some = group (depth + 1);
        if (next () != ')')
          fail (SINO_ERROR_BAD_PROPERTY, "%s=%s: a parenthesis is not closed", property, word.c_str ());
        at++;
      } else {
        auto end = at + 1;
        while (end < text.size () && g_ascii_islower (text[end]))
          end++;
        const auto *atom = atom_of (std::string (text.substr (at, end - at)), property, word);
        some[atom] = atom->mass;
        at = end;
      }
      const double times = count ();
      for (const auto &[atom, mass] : some)
        all[atom] += times * mass;
    }
    return all;
  }

  double count ()
  {
    auto end = at;
    while (end < text.size () && (g_ascii_isdigit (text[end]) || text[end] == '.'))
      end++;
    double number = 1;
    if (end > at && (!parse_number (text.substr (at, end - at), number) || !(number > 0 && number <= most_atoms)))
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s: '%.*s' is no number of atoms", property, word.c_str (),
            static_cast<int> (end - at), text.data () + at);
    at = end;
    return number;
  }
};

Shares alloy (const char *words)
{
  Shares all;
  each_word (words, " ", [&] (std::string_view word) {
    const auto colon = word.find (':');
    double share = 0;
    parse_number (word.substr (colon + 1), share);
    all[find_atom (std::string (word.substr (0, colon)))] = share;
  });
  return all;
}

} // namespace

double Material::mass_attenuation (double energy) const
{
  double sum = 0;
  for (const auto &[atom, share] : parts)
    sum += share * atom->attenuation (energy);
  return sum;
}

Material parse_material (const char *property, const std::string &word)
{
  const auto sign = word.find ('@');
  auto formula = word.substr (0, sign);
  Material made{.word = formula};
  bool alloyed = false;
  for (const auto &each : known)
    if (lower_case (formula) == each.name || formula == each.formula) {
      formula = each.formula;
      made.density = each.density;
      alloyed = formula.find (':') != std::string::npos;
    }
  auto masses = alloyed ? alloy (formula.c_str ()) : Formula (property, word, formula).masses ();
  if (masses.size () == 1 && made.density == 0)
    made.density = masses.begin ()->first->density;
  if (sign != std::string::npos &&
      (!parse_number (word.substr (sign + 1), made.density) || !(made.density > 0 && made.density < 100)))
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%s: give the density in g/cm^3 after '@', as in SiO2@2.2", property,
          word.c_str ());
  double all = 0;
  for (const auto &[atom, mass] : masses)
    all += mass;
  for (const auto &[atom, mass] : masses)
    made.parts.emplace_back (atom, mass / all);
  // in the order of symbols, because addresses may differ from run to run
  std::ranges::sort (made.parts, {}, [] (const auto &part) { return part.first->symbol; });
  return made;
}

static std::optional<Layer> parse_layer (const char *property, std::string_view words)
{
  std::vector<std::string> parts;
  each_word (words, " ", [&] (std::string_view word) { parts.emplace_back (word); });
  static constexpr std::pair<const char *, double> units[] = {{"mm", 0.1}, {"um", 1e-4}, {"cm", 1}};
  if (parts.size () == 2) // "0.5mm"
    for (const auto &[name, size] : units)
      if (parts[1].ends_with (name)) {
        const auto number = parts[1].substr (0, parts[1].find (name));
        parts = {parts[0], number, name};
        break;
      }
  double thickness = 0;
  if (parts.size () != 3 || !parse_number (parts[1], thickness) || !(thickness >= 0 && thickness < 1e6))
    return {};
  for (const auto &[name, size] : units)
    if (parts[2] == name)
      return Layer{parse_material (property, parts[0]), thickness * size};
  return {};
}

std::vector<Layer> parse_layers (const char *property, const std::string &words)
{
  std::vector<Layer> layers;
  each_word (words, ",", [&] (std::string_view part) {
    auto layer = parse_layer (property, part);
    if (!layer)
      fail (SINO_ERROR_BAD_PROPERTY,
            "%s=%s: give each layer as material, thickness and unit (um, mm or cm), with commas between layers, as in "
            "'Al 0.5 mm, Cu 0.1 mm'",
            property, words.c_str ());
    if (layer->material.density == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s: the density of %s is unknown: give it in g/cm^3, as in %s@2.5", property,
            words.c_str (), layer->material.word.c_str (), layer->material.word.c_str ());
    layers.push_back (std::move (*layer));
  });
  return layers;
}

} // namespace sino::beam_hardening
