// SPDX-License-Identifier: LGPL-3.0-or-later
// Bad pixels found by how they answer to the beam.
#pragma once
#include "filters/bad-pixels/map.hpp"
#include "filters/flat-field/companions.hpp"
#include "stream/format.hpp"

namespace sino::bad_pixels {

// Marks the pixels whose mean flat less mean dark differs from the local level by more than `threshold` of it. Where
// the level is under a twentieth of what a tenth of the image exceeds there is no beam to tell by. Throws where there
// is none at all.
void find_bad (Map &map, const Companions &companions, double threshold, const flat_field::Looking &looking);

// Bytes that this takes.
size_t finding_bytes (const Companions &companions);

} // namespace sino::bad_pixels
