// SPDX-License-Identifier: LGPL-3.0-or-later
// How much of each eigen flat a projection was taken with.
#pragma once
#include "filters/dynamic-flats/eigen-flats.hpp"
#include "filters/dynamic-flats/samples.hpp"

namespace sino::dynamic_flats {

// The weights of all components for each projection: those with which the corrected projection varies least from pixel
// to pixel (its total variation), as what is left of the beam would add to it. Where nothing was seen, 0.
std::vector<double> find_weights (const EigenFlats &flats, const Samples &samples, const Cpu &cpu);

} // namespace sino::dynamic_flats
