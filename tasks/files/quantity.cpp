// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/quantity.hpp"
#include "tasks/files/numbers.hpp"
#include "tasks/files/units.hpp"

namespace sino::files {

const Measure lengths{millimetres, "m, cm, mm, um or nm"}, energies{kiloelectronvolts, "keV or eV"};

std::optional<double> quantity (const ImageFile &file, const std::string &name, const Measure &measure,
                                const char *usual_unit)
{
  if (const auto n = file.count (name); n > 1)
    fail (SINO_ERROR_BAD_FILE, "%s has %" G_GINT64_FORMAT " values: it must have one", file.title (name).c_str (), n);
  const auto values = numbers (file, name, 1);
  if (values.empty ())
    return {};
  const auto unit = file.text_attribute (name, "units");
  if (const auto factor = measure.factor (unit.empty () ? usual_unit : unit))
    return *factor * values[0];
  fail (SINO_ERROR_BAD_FILE, "%s: the unit '%.40s' is unknown: it must be %s", file.title (name).c_str (),
        unit.c_str (), measure.units);
}

static std::optional<double> first_of (const ImageFile &file, const std::vector<StoredName> &places,
                                       const Measure &measure, std::vector<std::string> &messages)
{
  for (const auto &[name, usual_unit] : places) {
    const auto value =
        or_unknown (messages, [&, &path = name, &unit = usual_unit] { return quantity (file, path, measure, unit); });
    if (value && *value > 0)
      return value;
  }
  return {};
}

void find_beam (const ImageFile &file, const std::vector<StoredName> &energy, const std::vector<StoredName> &distance,
                Geometry &geometry, std::vector<std::string> &messages)
{
  geometry.energy = first_of (file, energy, energies, messages);
  if (const auto mm = first_of (file, distance, lengths, messages))
    geometry.distance = *mm * 1e-3;
}

} // namespace sino::files
