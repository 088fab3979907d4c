// SPDX-License-Identifier: LGPL-3.0-or-later
// How bright darks and flats are, where some of either may be what the other is called.
#pragma once
#include <vector>

namespace sino::flat_field {

struct Levels {
  double dark, flat; // NaN where there are no flats; without darks there is no signal without beam
  double way;        // from darks to flats; NaN where these cannot be told apart
};

// By the levels of all frames, in any order; NaN: a frame has none.
Levels levels_of (std::vector<double> darks, std::vector<double> flats);

} // namespace sino::flat_field
