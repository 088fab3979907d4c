// SPDX-License-Identifier: LGPL-3.0-or-later
// Rows of the detector that slices are seen on. A plan asks for many parts of the volume, and scans have many views, so
// what a slice sees is found once.
#pragma once
#include "kernels/cone-back-project/cone-back-project.hpp"
#include <mutex>

namespace sino::cone_back_project {

class SeenRows
{
public:
  // Voxels reach up to `around` voxels further.
  SeenRows (const Job &job, double around);
  // Any thread.
  Interval of (const Job &job, Interval slices) const;

private:
  const double around;
  const bool separate; // each slice takes the same projections, so the outermost of some slices see what all do
  mutable std::mutex mutex;
  mutable std::vector<Interval> known; // of each slice; empty: not yet
};

} // namespace sino::cone_back_project
