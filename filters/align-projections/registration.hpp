// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds how far a measured projection is displaced against the computed one. The mass of the object is used where it is
// seen, and details elsewhere.
#pragma once
#include "filters/align-projections/details.hpp"
#include "filters/align-projections/profile.hpp"

namespace sino::align_projections {

enum class Along : uint8_t { both, columns, rows };

struct Job {
  Size size;
  Along along;
  double most;   // a larger displacement is not believed
  bool parallel; // rows of all projections see the same slices
  // Rows above and below whose rays may leave the slices within the object: there less is computed than measured.
  int64_t edge = 0;
};

struct Registered {
  Displacement displacement;
  bool in_view = false; // values fall to zero at the left and the right border
};

// For one thread.
class Registration
{
public:
  explicit Registration (const Job &j) : job (j), details (j.size), of_measured (j.size), of_computed (j.size) {}

  Registered find (const float *measured, const float *computed);
  // The displacement between two images of the same view. The columns of the first run backwards if it is `mirrored`.
  Displacement compare (const float *measured, const float *other, bool mirrored);

  static size_t bytes (Size size);

private:
  const Job job;
  Details details;
  Profiles of_measured, of_computed;
};

} // namespace sino::align_projections
