// SPDX-License-Identifier: LGPL-3.0-or-later
// In what the flats of a scan differ, but for their brightness: the principal components of V. Van Nieuwenhove, J. De
// Beenhouwer, F. De Carlo, L. Mancini, F. Marone, J. Sijbers, Dynamic intensity normalization using eigen flat fields
// in X-ray imaging, Optics Express 23, 27975 (2015).
#pragma once
#include "filters/flat-field/companions.hpp"
#include "stream/format.hpp"

namespace sino::dynamic_flats {

// Components at most that are taken where no number is given.
constexpr int most_components = 8;

struct EigenFlats {
  int64_t columns = 0;
  std::vector<float> dark, white; // the mean dark, and the mean flat less that; (row, column)
  // Shares of the white by which flats differ from the mean, (component, row, column); 0 where a pixel is dead.
  std::vector<float> components;

  size_t count () const { return white.empty () ? 0 : components.size () / white.size (); }
  const float *component (size_t k, int64_t row) const
  {
    return &components[k * white.size () + static_cast<size_t> (row * columns)];
  }
};

// `number` of components, or 0: as many as stand out of noise.
EigenFlats find_eigen_flats (const Companions &companions, int number, const flat_field::Looking &looking);

// Bytes of the result at most, and what finding it takes besides.
size_t eigen_flats_bytes (const Companions &companions, int number);
size_t finding_bytes (const Companions &companions);

} // namespace sino::dynamic_flats
