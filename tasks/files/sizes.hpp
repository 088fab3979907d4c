// SPDX-License-Identifier: LGPL-3.0-or-later
// Sizes of pixels and voxels, for files that keep them with a unit.
#pragma once
#include "formats/target.hpp"
#include <array>

namespace sino::files {

// Distances of pages, lines and columns in the scan's unit; 0 along an axis that is no length, all of them where the
// size of pixels is not known.
std::array<double, 3> spacing_of (const Format &format);

// For formats whose files keep them whatever they hold.
inline bool always_sized (const formats::Planned &)
{
  return true;
}

struct UnitNames {
  const char *symbol, *word;
  double mm; // that it has
};
const UnitNames &names_of (formats::Unit unit);

// A number as files have it: as few digits as give it again.
std::string shortest (double value);

} // namespace sino::files
