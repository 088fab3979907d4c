// SPDX-License-Identifier: LGPL-3.0-or-later
// Differences between the flats of a scan other than brightness: the principal components of V. Van Nieuwenhove, J. De
// Beenhouwer, F. De Carlo, L. Mancini, F. Marone, J. Sijbers, Dynamic intensity normalization using eigen flat fields
// in X-ray imaging, Optics Express 23, 27975 (2015).
#pragma once
#include "filters/flat-field/companions.hpp"
#include "stream/format.hpp"

namespace sino::dynamic_flats {

// Largest number of components if the user gives none.
constexpr int most_components = 8;

struct EigenFlats {
  int64_t columns = 0;
  std::vector<float> dark, white; // mean dark; mean flat minus mean dark; [row][column]
  // Differences from the mean flat, relative to `white`: [component][row][column]; 0 where a pixel is dead.
  std::vector<float> components;

  size_t count () const { return white.empty () ? 0 : components.size () / white.size (); }
  const float *component (size_t k, int64_t row) const
  {
    return &components[k * white.size () + static_cast<size_t> (row * columns)];
  }
};

// `number`: number of components; 0: all components above the noise.
EigenFlats find_eigen_flats (const Companions &companions, int number, const flat_field::Looking &looking);

// Upper limits of the number of components and of the bytes of the result; bytes needed to find it.
size_t eigen_flats_count (const Companions &companions, int number);
size_t eigen_flats_bytes (const Companions &companions, int number);
size_t finding_bytes (const Companions &companions);

} // namespace sino::dynamic_flats
