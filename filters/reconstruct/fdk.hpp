// SPDX-License-Identifier: LGPL-3.0-or-later
// The time of filtered back-projection of scans of any geometry, for plans.
#pragma once
#include "filters/cone/volume.hpp"
#include "glue/composite.hpp"

namespace sino::reconstruct {

// Seconds of filter and back-projection, without reading and writing. Throws Error if the method cannot reconstruct the
// scan.
double fdk_seconds (const Format &projections, const cone::VolumeSettings &volume, const Site &site);

} // namespace sino::reconstruct
