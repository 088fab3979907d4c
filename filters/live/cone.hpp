// SPDX-License-Identifier: LGPL-3.0-or-later
// Scans of a cone or tilted beam: how projections see the volume of `cone-back-project`, and their weights.
#pragma once
#include "filters/cone/weighing.hpp"
#include "filters/live/maker.hpp"
#include "filters/live/resident.hpp"

namespace sino::live {

struct ConeSettings {
  cone::OffsetSettings offset;
  bool ring;         // pictures hold the last turn
  bool weighs, ramp; // whether rays are weighted and rows are filtered here
};

// Settles all that depends on the beam, for rows that are not averaged. Returns warnings. Throws Error.
std::vector<std::string> settle_cone (const Format &in, const ConeSettings &settings, Keeping &keeping, Making &making);

} // namespace sino::live
