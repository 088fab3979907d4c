// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds bad pixels by their response to the beam.
#pragma once
#include "filters/bad-pixels/map.hpp"
#include "filters/flat-field/companions.hpp"
#include "stream/format.hpp"

namespace sino::bad_pixels {

// Marks pixels whose mean flat minus mean dark differs from the local level by more than `threshold` times that level.
// Skips places without beam, where the level is below 1/20 of the 90th percentile of levels. Throws if there is no beam
// at all.
void find_bad (Map &map, const Companions &companions, double threshold, const flat_field::Looking &looking);

// Bytes that find_bad () needs.
size_t finding_bytes (const Companions &companions);

} // namespace sino::bad_pixels
