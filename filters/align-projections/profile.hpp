// SPDX-License-Identifier: LGPL-3.0-or-later
// The sums of a projection along its rows or columns, and the displacement that they show. A sum along rows has the
// least frequency of all along columns, for which all projections of an object agree, however wrong its slices are: it
// is the mass at this height. The same holds for the centre of mass of the sums along columns (S. Helgason, The Radon
// Transform, 1999; S. G. Azevedo and others, IEEE Trans. Nucl. Sci. 37, 1990, 1525).
#pragma once
#include "filters/align-projections/image.hpp"
#include <optional>
#include <span>
#include <vector>

namespace sino::align_projections {

// The two profiles of one image.
struct Profiles {
  std::vector<double> columns, rows; // the sum of each column; of each row

  explicit Profiles (Size size) : columns (static_cast<size_t> (size.columns)), rows (static_cast<size_t> (size.rows))
  {
  }
};

// Columns are summed without `edge` rows above and below.
void add_up (const float *measured, const float *computed, Size size, int64_t edge, Profiles &of_measured,
             Profiles &of_computed);

// Distance between the centres of mass; none if the values do not fall to zero at both ends, because then a part of the
// object is not seen.
std::optional<double> between_centres (std::span<const double> measured, std::span<const double> computed);

// Least squares of measured (x) = gain * computed (x - shift) + offset.
Found match (std::span<const double> measured, std::span<const double> computed, double most);

} // namespace sino::align_projections
