// SPDX-License-Identifier: LGPL-3.0-or-later
// Pixel and voxel sizes, for files that store them with a unit.
#pragma once
#include "formats/target.hpp"
#include "glue/property.hpp"
#include <array>

namespace sino::files {

// Distances of pages, lines and columns in the scan's unit; 0 along an axis that is no length; all 0 if the pixel size
// is unknown.
std::array<double, 3> spacing_of (const Format &format);

// Position of the first page, line and column in the numbering of the scan, in its unit; 0 where there is no spacing.
// So the parts of one volume lie in their places.
std::array<double, 3> origin_of (const Format &format);

// WritingFormat::sized for formats whose files always store sizes.
inline bool always_sized (const formats::Planned &)
{
  return true;
}

inline constexpr Nick<formats::Unit> unit_nicks[] = {{formats::Unit::automatic, "auto"}, {formats::Unit::m, "m"},
                                                     {formats::Unit::cm, "cm"},          {formats::Unit::mm, "mm"},
                                                     {formats::Unit::um, "um"},          {formats::Unit::nm, "nm"}};

struct UnitNames {
  const char *symbol, *word, *ascii;
  double mm; // size of the unit in mm
};
const UnitNames &names_of (formats::Unit unit);

// The unit of the lengths of a stream, by the property `unit`. Throws Error if the lengths are known to have another
// one.
formats::Unit unit_of (const Format &format, formats::Unit asked);

// A number with the fewest digits that give the same value.
std::string shortest (double value);

} // namespace sino::files
