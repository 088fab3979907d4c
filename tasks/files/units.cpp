// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/units.hpp"
#include "base/angle.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <span>
#include <utility>

namespace sino::files {

using Factor = std::pair<std::string_view, double>;

static std::optional<double> factor_of (std::string_view unit, std::span<const Factor> units)
{
  for (const auto &[word, factor] : units)
    if (unit == word)
      return factor;
  return {};
}

std::optional<double> millimetres (std::string_view unit)
{
  static constexpr Factor units[] = {{"m", 1e3},        {"metre", 1e3},      {"meter", 1e3},       {"dm", 100},
                                     {"cm", 10},        {"centimetre", 10},  {"centimeter", 10},   {"mm", 1},
                                     {"millimeter", 1}, {"millimetre", 1},   {"um", 1e-3},         {"\u00b5m", 1e-3},
                                     {"\u03bcm", 1e-3}, {"micron", 1e-3},    {"micrometre", 1e-3}, {"micrometer", 1e-3},
                                     {"nm", 1e-6},      {"nanometre", 1e-6}, {"nanometer", 1e-6},  {"pm", 1e-9},
                                     {"\u00c5", 1e-7},  {"\u212b", 1e-7},    {"in", 25.4}};
  return factor_of (unit, units);
}

std::optional<double> kiloelectronvolts (std::string_view unit)
{
  static constexpr Factor units[] = {
      {"keV", 1}, {"kev", 1}, {"KeV", 1}, {"eV", 1e-3}, {"ev", 1e-3}, {"MeV", 1e3}, {"J", 6.241509074460763e15}};
  return factor_of (unit, units);
}

std::optional<double> degrees_in (std::string unit)
{
  unit = lower_case (std::move (unit));
  unit.erase (0, std::min (unit.find_first_not_of (' '), unit.size ()));
  unit.erase (unit.find_last_not_of (" .") + 1);
  constexpr double radian = sino::degrees (1), milliradian = sino::degrees (1e-3);
  static constexpr Factor units[] = {{"deg", 1},
                                     {"degs", 1},
                                     {"degree", 1},
                                     {"degrees", 1},
                                     {"\u00b0", 1},
                                     {"rad", radian},
                                     {"rads", radian},
                                     {"radian", radian},
                                     {"radians", radian},
                                     {"radiant", radian},
                                     {"mrad", milliradian},
                                     {"milliradian", milliradian},
                                     {"milliradians", milliradian},
                                     {"mdeg", 1e-3},
                                     {"millidegree", 1e-3},
                                     {"millidegrees", 1e-3}};
  return factor_of (unit, units);
}

} // namespace sino::files
