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
  size_t bytes () const { return lines.size () * sizeof (Line) + known.size () * sizeof (Interval); }

private:
  // Where the middles above a corner of the volume are seen: of slice z on row (row + z step) / (depth + z deeper).
  struct Line {
    double row, step, depth, deeper;
  };

  const double around;
  const bool separate; // each slice takes the same projections, so the outermost of some slices see what all do
  const std::vector<Line> lines;
  mutable std::mutex mutex;
  mutable std::vector<Interval> known; // of each slice; empty: not yet

  static std::vector<Line> outermost (std::vector<Line> lines);
  static std::vector<Line> lines_of (const Job &job, double around);
  Interval of_slice (const Job &job, int64_t slice) const;
};

} // namespace sino::cone_back_project
