// SPDX-License-Identifier: LGPL-3.0-or-later
// Which values of slices are air, object and metal, from the histogram of some slices.
#pragma once
#include "filters/find-metal/histogram.hpp"
#include "stream/materials.hpp"
#include <optional>

namespace sino::find_metal {

constexpr double metal_times = 4; // metal has more than so many times the value of the object ...
constexpr double noise_times = 8; // ... and exceeds it by more than so many times the noise

struct Seen {
  Histogram values; // voxels
  Histogram steps;  // absolute differences of voxels that are neighbours in a line
};

// Throws nothing. Without positive values nothing is metal.
//
// The object's value: a third of all attenuation is in voxels below q; the median of the voxels between q / 2 and 2 q.
// Attenuation is the sum of positive values without as many negative ones of the same size, which are noise. So neither
// air nor metal with up to two thirds of the attenuation changes it.
// The noise: three quarters of neighbours differ by less than 1.15 sqrt(2) standard deviations.
// `threshold`: value of metal; none: found. `classes`: number of classes that are not metal.
Materials find_materials (const Seen &seen, std::optional<double> threshold, int classes);

} // namespace sino::find_metal
