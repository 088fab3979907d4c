// SPDX-License-Identifier: LGPL-3.0-or-later
// The place of the detector from a reduced scan: which method finds which number, in which order.
#pragma once
#include "filters/find-geometry/least-squares.hpp"
#include "filters/find-geometry/reduced.hpp"
#include <string>

namespace sino::find_geometry {

struct Found {
  Values values{}, errors{}; // standard deviations; distance: of its logarithm
  double coherence = 0;      // share that opposite rays have in common
  double mirror_axis = 0;    // column of the axis from the mean projection alone
  double other_row = 0;      // middle row from opposite rays
  bool row_found = false;    // false: the middle row is the given one
  bool truncated = false;    // the object extends beyond the left or right border
};

// `start`: the place as far as it is known. `scan` must be of a whole turn; it is smoothed.
// `knows_distance`: false: the distance is searched for from 1 to 20 times the width of the detector.
// `flat`: a fan, whose one row the scan has many times: row, roll and pitch stay as they are.
Found search (Reduced &scan, const Detector &start, bool knows_distance, bool flat);

// Bytes beside the scan.
size_t search_bytes (int64_t columns, int64_t rows);

} // namespace sino::find_geometry
