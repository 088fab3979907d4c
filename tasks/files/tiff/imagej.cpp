// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/tiff/imagej.hpp"
#include "base/text.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/units.hpp"
#include <algorithm>

namespace sino::files {

std::string imagej_description (const Planned &planned)
{
  const auto spacing = spacing_of (planned.format);
  const auto cm = names_of (planned.unit).mm / 10;
  std::string words = "ImageJ=1.53\n";
  const auto line = [&words] (const char *key, const std::string &value) { words += std::string (key) + value + "\n"; };
  if (!planned.pattern.numbered () && planned.pages () > 1) {
    const auto pages = std::to_string (planned.pages ());
    line ("images=", pages);
    line (planned.format.kind () == Kind::projections ? "frames=" : "slices=", pages);
  }
  if (spacing[2] > 0)
    line ("unit=", "cm");
  if (spacing[0] > 0)
    line ("spacing=", shortest (spacing[0] * cm));
  if (const auto stated = stated_values (planned); stated.any ()) {
    const auto scale = stated.scale.value_or (Scale ());
    if (stated.scale) {
      line ("cf=", "0"); // a straight line
      line ("c0=", shortest (scale.offset));
      line ("c1=", shortest (scale.slope));
    }
    line ("vunit=", stated.unit.empty () ? "value" : stated.unit);
  }
  auto provenance = planned.provenance;
  std::ranges::replace (provenance, '\n', ' ');
  line ("sinograph=", provenance);
  return words;
}

std::optional<ImageJFacts> imagej_facts (const std::string &description)
{
  if (!description.starts_with ("ImageJ="))
    return {};
  std::map<std::string, std::string, std::less<>> words;
  for (auto line : split (description, '\n')) {
    if (line.ends_with ('\r'))
      line.pop_back ();
    const auto equals = line.find ('=');
    if (equals != line.npos)
      words[line.substr (0, equals)] = line.substr (equals + 1);
  }
  ImageJFacts facts;
  facts.mm = millimetres (words["unit"]).value_or (0);
  parse_number (words["spacing"], facts.distance);
  Scale scale;
  if (words["cf"] == "0" && parse_number (words["c0"], scale.offset) && parse_number (words["c1"], scale.slope))
    facts.stated.scale = scale;
  facts.stated.unit = words["vunit"];
  return facts;
}

} // namespace sino::files
