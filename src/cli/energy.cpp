// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/energy.hpp"
#include "base/text.hpp"

namespace sino::cli {

std::string parts_text (const Energy &energy)
{
  std::string out;
  for (const auto &part : energy.parts)
    if (part.fault.empty ())
      out += text ("%s%s %.4g J", out.empty () ? "" : ", ", part.name.c_str (), part.joules);
  return out;
}

std::string energy_lines (const Energy &energy, double seconds, double voxels)
{
  std::string out;
  if (const auto figures = energy.figures (seconds, voxels)) {
    out = text ("energy %.4g J (%s)", figures->joules, parts_text (energy).c_str ());
    if (voxels > 0)
      out += text (", %.4g voxels/s/W", figures->speed);
    out += text (", energy-delay product %.4g J s\n", figures->delay);
  }
  for (const auto &part : energy.parts)
    if (!part.fault.empty ())
      out += text ("energy of %s: not measured: %s\n", part.name.c_str (), part.fault.c_str ());
  return out;
}

} // namespace sino::cli
