// SPDX-License-Identifier: LGPL-3.0-or-later
// The property `offset-detector`, for detectors that reach farther from the axis on one side than on the other. All
// nodes that weight rays have this property.
#pragma once
#include "glue/property.hpp"

namespace sino::cone {

enum class Offset { automatic, yes, no };

struct OffsetSettings {
  Offset detector = Offset::automatic;

  static constexpr Nick<Offset> nicks[] = {{Offset::automatic, "auto"}, {Offset::yes, "yes"}, {Offset::no, "no"}};
  static constexpr std::array properties{
      prop<&OffsetSettings::detector> ("offset-detector",
                                       "Whether the two measurements of a ray in a whole turn of a cone or fan beam "
                                       "are blended, within the shorter side of the detector; no: both have equal "
                                       "weight; auto: yes if the axis is more than 5 % of the columns off the middle",
                                       nicks)};
};

} // namespace sino::cone
