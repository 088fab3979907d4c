// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the rows of the detector on which slices are seen. A plan asks for many parts of the volume, and scans have
// many views, so the rows of a slice are found once and kept.
#pragma once
#include "kernels/cone-back-project/cone-back-project.hpp"
#include <mutex>

namespace sino::cone_back_project {

class SeenRows
{
public:
  // `around`: distance in voxels from its middle up to which a voxel is seen.
  SeenRows (const Job &job, double around);
  // Returns the rows on which these slices are seen. Any thread may call it.
  Interval of (const Job &job, Interval slices) const;
  size_t bytes () const { return lines.size () * sizeof (Line) + known.size () * sizeof (Interval); }

private:
  // Rows on which one view sees the voxel middles above a corner of the volume: slice z on row (row + z step) / (depth
  // + z deeper).
  struct Line {
    double row, step, depth, deeper;
  };

  const double around;
  // whether all slices take the same projections; the first and the last of some slices then see all rows
  const bool separate;
  const std::vector<Line> lines;
  mutable std::mutex mutex;
  mutable std::vector<Interval> known; // rows of each slice; empty: not yet found

  static std::vector<Line> outermost (std::vector<Line> lines);
  static std::vector<Line> lines_of (const Job &job, double around);
  Interval of_slice (const Job &job, int64_t slice) const;
};

} // namespace sino::cone_back_project
