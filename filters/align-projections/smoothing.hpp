// SPDX-License-Identifier: LGPL-3.0-or-later
// Displacements as a line through those of neighbouring projections, because a drift is slow.
#pragma once
#include "filters/align-projections/fit.hpp"
#include "filters/align-projections/image.hpp"
#include <algorithm>
#include <span>

namespace sino::align_projections {

// The value at `place` of a line through the sure displacements of at most `reach` projections on either side.
inline double smoothed (std::span<const Found> all, int64_t place, int64_t reach)
{
  if (reach == 0)
    return all[static_cast<size_t> (place)].shift;
  double sum = 0, count = 0;
  Fit<2> line;
  for (auto i = std::max<int64_t> (place - reach, 0); i <= std::min (place + reach, std::ssize (all) - 1); i++)
    if (const auto &found = all[static_cast<size_t> (i)]; found.sure) {
      line.add ({1, static_cast<double> (i - place)}, found.shift);
      sum += found.shift;
      count++;
    }
  if (const auto solved = line.solve ())
    return solved->unknowns[0];
  return count > 0 ? sum / count : 0;
}

} // namespace sino::align_projections
