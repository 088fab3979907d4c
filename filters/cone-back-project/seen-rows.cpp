// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/seen-rows.hpp"
#include "kernels/cone-back-project/native/packed.hpp"
#include <algorithm>

namespace sino::cone_back_project {

SeenRows::SeenRows (const Job &job, double beyond)
    : around (beyond), separate (std::all_of (job.projections.begin (), job.projections.end (),
                                              [&] (const Projection &projection) {
                                                return projection.slices.contains ({0, job.volume.slices});
                                              })),
      known (separate ? static_cast<size_t> (job.volume.slices) : 0)
{
}

Interval SeenRows::of (const Job &job, Interval slices) const
{
  if (!separate || slices.empty ())
    return rows_seen (job, slices, around);
  const std::lock_guard guard (mutex);
  const auto of_slice = [&] (int64_t z) {
    auto &rows = known[static_cast<size_t> (z)];
    if (rows.empty ())
      rows = rows_seen (job, {z, z + 1}, around);
    return rows;
  };
  return of_slice (slices.begin).cover (of_slice (slices.end - 1));
}

} // namespace sino::cone_back_project
