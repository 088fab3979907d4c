// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/cone-back-project/native/packed.hpp"
#include <cmath>

namespace sino::cone_back_project {

double least_depth (const Job &job)
{
  const auto box = corners (job.volume, {0, job.volume.slices});
  double least = HUGE_VAL;
  for (const auto &projection : job.projections)
    for (const auto &corner : box)
      least = std::min (least, project (projection.matrix, corner).weight);
  return least;
}

double steepest (const Job &job)
{
  const auto box = corners (job.volume, {0, job.volume.slices});
  double most = 0;
  for (const auto &projection : job.projections) {
    const auto &m = projection.matrix;
    if (!projection.slices.contains ({0, job.volume.slices}))
      return HUGE_VAL;
    double nearest = HUGE_VAL, farthest = 0;
    for (size_t i = 0; i < 4; i++) {
      const auto top = project (m, box[i]), bottom = project (m, box[i + 4]);
      const bool upright = std::abs (top.column - bottom.column) <= 1e-5 &&
                           std::abs (top.weight - bottom.weight) <= 1e-7 * std::abs (top.weight);
      if (!upright || !(m[1][2] > 0))
        return HUGE_VAL;
      most = std::max (most, m[1][2] * job.volume.size / std::min (top.weight, bottom.weight));
      nearest = std::min (nearest, top.weight);
      farthest = std::max (farthest, top.weight);
    }
    if (farthest > 50 * nearest)
      return HUGE_VAL;
  }
  return most;
}

Interval rows_seen (const Job &job, Interval slices, double around)
{
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const auto &projection : job.projections) {
    const auto counted = slices.meet (projection.slices);
    if (counted.empty ())
      continue;
    for (const auto &corner : corners (job.volume, counted, around)) {
      const double row = project (projection.matrix, corner).row;
      least = std::min (least, row);
      most = std::max (most, row);
    }
  }
  return rows_between (job, least, most);
}

Interval rows_between (const Job &job, double least, double most)
{
  if (least > most)
    return {0, 1};
  const auto end = static_cast<double> (job.rows);
  // One row more on either side, for rounding of positions.
  return {static_cast<int64_t> (std::clamp (std::floor (least - 0.5) - 1, 0.0, end - 1)),
          static_cast<int64_t> (std::clamp (std::floor (most - 0.5) + 3, 1.0, end))};
}

Interval slab_slices (const Job &job, int64_t number)
{
  return Interval{number * slab_size, (number + 1) * slab_size}.meet ({0, job.volume.slices});
}

Interval with_rows_around (const Job &job, Interval rows)
{
  return Interval{rows.begin - rows_around, rows.end + rows_around}.meet ({0, job.rows});
}

Packing packing_of (const Job &job, Manner manner, int64_t slab)
{
  const int64_t pad = steepest (job) <= steepest_of_windows ? 64 : 128; // bins that 16 voxels need
  Packing packing{.manner = manner,
                  .rows = rows_seen (job, slab_slices (job, slab)),
                  .columns = job.columns,
                  .pad = pad,
                  .stride = 0,
                  .view = 0,
                  .bytes = 0};
  if (manner.grouped)
    packing.rows = with_rows_around (job, packing.rows);
  // Columns begin at cache lines, an odd number of lines apart, so that neighbours do not share cache sets.
  const auto line = static_cast<int64_t> (64 / packing.bin ());
  const auto lines = divide_up (packing.rows.size () + pad, line);
  packing.stride = (lines | 1) * line;
  packing.view = static_cast<size_t> (packing.stride * (packing.columns + 4));
  // Lines are read in whole blocks, some of them beyond the part used.
  const auto views = std::min<size_t> (group_size, round_up (job.projections.size (), size_t{batch_size}));
  packing.bytes =
      (packing.view * views + static_cast<size_t> (2 * packing.stride) + 4 * slab_size + 256) * packing.bin ();
  return packing;
}

} // namespace sino::cone_back_project
