// SPDX-License-Identifier: LGPL-3.0-or-later
// The displacement that the details of two images show: least squares by Gauss and Newton (B. D. Lucas and T. Kanade,
// Proc. IJCAI 1981, 674) of images that a band-pass has freed of noise and of slow differences.
#pragma once
#include "filters/align-projections/image.hpp"
#include <vector>

namespace sino::align_projections {

struct Displacement {
  Found columns, rows;
};

// Has the memory for images of one size.
class Details
{
public:
  explicit Details (Size size);

  // `from`: where the search begins. It finds what is a few pixels away. `mirrored`: the columns of the measured image
  // run backwards.
  Displacement match (const float *measured, const float *computed, Displacement from, bool mirrored = false);

  static size_t bytes (Size size);

private:
  const Size size;
  std::vector<float> measured_band, computed_band, wide, half;

  bool fill (const float *measured, const float *computed, bool mirrored, int64_t factor, Size binned);
  void pass_band (std::vector<float> &band, Size binned);
  bool refine (Size binned, Displacement &found) const;
};

} // namespace sino::align_projections
