// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/stated.hpp"
#include "base/text.hpp"
#include "tasks/files/sizes.hpp"
#include <cmath>

namespace sino::files {

static constexpr std::string_view before_slope = "value = ", before_offset = " * grey ";

double number_or_nan (std::string_view word)
{
  double number = 0;
  return parse_number (word, number) ? number : NAN;
}

std::vector<std::pair<std::string, std::string>> about (const Planned &planned, const std::string &path)
{
  std::vector<std::pair<std::string, std::string>> facts{
      {"output", path},
      {"size", text ("%" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " %s (columns, lines, %s)",
                     planned.columns (), planned.lines (), planned.pages (), name_of (planned.element),
                     name_of (planned.format.kind ()))}};
  const auto spacing = spacing_of (planned.format);
  if (planned.format.kind () == Kind::slices)
    facts.emplace_back ("voxel size", spacing[2] == 0 ? "unknown"
                                                      : shortest (spacing[2]) + " x " + shortest (spacing[1]) +
                                                            (spacing[0] > 0 ? " x " + shortest (spacing[0]) : "") +
                                                            " " + names_of (planned.unit).symbol);
  const auto stated = stated_values (planned);
  if (stated.scale)
    facts.emplace_back ("values", stated_text (stated));
  else if (!stated.unit.empty ())
    facts.emplace_back ("values", "in " + stated.unit);
  return facts;
}

Stated stated_values (const Planned &planned)
{
  Stated stated{planned.scale, {}};
  if (planned.format.per_length)
    stated.unit = spacing_of (planned.format)[2] > 0 ? std::string ("1/") + names_of (planned.unit).ascii : "1/pixel";
  return stated;
}

std::string stated_text (const Stated &stated)
{
  const auto scale = stated.scale.value_or (Scale ());
  return std::string (before_slope) + shortest (scale.slope) + std::string (before_offset) +
         (scale.offset < 0 ? "- " : "+ ") + shortest (std::abs (scale.offset)) +
         (stated.unit.empty () ? "" : " " + stated.unit);
}

Stated stated_by (std::string_view text)
{
  Scale scale;
  const auto at = text.find (before_slope), times = text.find (before_offset);
  if (at == text.npos || times == text.npos || times < at)
    return {};
  const auto factor = text.substr (at + before_slope.size (), times - at - before_slope.size ());
  const auto sign = text.substr (times + before_offset.size (), 2);
  if (sign != "+ " && sign != "- ")
    return {};
  const auto rest = text.substr (times + before_offset.size () + sign.size ());
  const auto space = rest.find_first_of (" <\r\n");
  scale = {number_or_nan (factor), number_or_nan (rest.substr (0, space))}; // earlier versions wrote "+ -0.01"
  if (sign == "- " && !std::isnan (scale.offset))
    scale.offset = -scale.offset;
  auto unit = space == rest.npos || rest[space] != ' ' ? std::string_view () : rest.substr (space + 1);
  unit = unit.substr (0, unit.find_first_of (" <\r\n"));
  return {scale == Scale () ? std::nullopt : std::optional (scale), std::string (unit)};
}

DescribedImages::Numbers facts_of_slices (double across, double along, double mm, const std::optional<Scale> &scale)
{
  DescribedImages::Numbers facts;
  const auto add = [&] (const char *name, double size) {
    if (std::abs (size) * mm >= 1e-30 && std::abs (size) * mm <= 1e30)
      facts[name] = std::abs (size) * mm;
  };
  add ("voxel_size", across);
  add ("slice_distance", along);
  if (scale) {
    facts["scale_factor"] = scale->slope;
    facts["add_offset"] = scale->offset;
  }
  return facts;
}

} // namespace sino::files
