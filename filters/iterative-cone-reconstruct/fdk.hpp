// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtered back-projection (L. A. Feldkamp, L. C. Davis, J. W. Kress, J. Opt. Soc. Am. A 1, 612, 1984), in which
// footprints back-project: their size falls with the square of the depth as FDK's weights do.
#pragma once
#include "filters/iterative-cone-reconstruct/space.hpp"
#include "filters/ramp-filter/row-filter.hpp"

namespace sino::iterative_cone_reconstruct {

class Fdk
{
public:
  explicit Fdk (const Space &space);

  // Adds the reconstruction of all projections to a volume. It changes the projections.
  void add (float *projections, float *volume) const;

  static void memory (const Problem &problem, int threads, Bill &bill);

private:
  const Space &space;
  const ramp_filter::RowFilter filter;

  void filter_rows (int64_t view, int64_t first, float *projection, float *work) const;
};

} // namespace sino::iterative_cone_reconstruct
