// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the weight of each eigen flat in each projection.
#pragma once
#include "filters/dynamic-flats/eigen-flats.hpp"
#include "filters/dynamic-flats/samples.hpp"

namespace sino::dynamic_flats {

// Weights of all components for each projection. They minimise the total variation of the corrected projection, because
// remains of the beam would increase it. 0 where nothing was seen.
std::vector<double> find_weights (const EigenFlats &flats, const Samples &samples, const Cpu &cpu);

} // namespace sino::dynamic_flats
