// SPDX-License-Identifier: LGPL-3.0-or-later
// Scans of a parallel beam at right angles to the axis: how projections see the volume, and their weights.
#pragma once
#include "filters/live/maker.hpp"
#include "filters/live/resident.hpp"
#include "filters/slice/slices.hpp"

namespace sino::live {

struct ParallelSettings {
  slice::SliceSettings slices;
  bool ring;    // pictures hold the last half turn
  bool filters; // whether rows are filtered here
  const char *axis_advice;
};

// Settles all that depends on the beam, for rows that are not averaged. Returns warnings. Throws Error.
std::vector<std::string> settle_parallel (const Format &in, const ParallelSettings &settings, Keeping &keeping,
                                          Making &making);

// The mean column of the rotation axis; exact if all are equal.
double mean_axis (const std::vector<slice::Ray> &rays);

} // namespace sino::live
