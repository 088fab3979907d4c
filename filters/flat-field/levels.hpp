// SPDX-License-Identifier: LGPL-3.0-or-later
// Brightness of darks and flats, even if some darks are flats or the reverse.
#pragma once
#include <vector>

namespace sino::flat_field {

struct Levels {
  double dark, flat; // NaN without flats; without darks the dark signal is 0
  double way;        // difference between flat and dark; NaN if they cannot be distinguished
};

// `darks`, `flats`: the levels of all frames in any order; NaN: no level.
Levels levels_of (std::vector<double> darks, std::vector<double> flats);

} // namespace sino::flat_field
