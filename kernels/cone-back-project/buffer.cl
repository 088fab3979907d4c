// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection by its definition, for any geometry: interpolates between the four values of a buffer around the
// position of a voxel.
#include "voxels.cl"

inline float between (global const float *bins, const Frame f, const Pair across, const Pair down)
{
  global const float *upper = bins + (size_t) down.near * f.columns, *lower = bins + (size_t) down.far * f.columns;
  const float above = fma (across.of_near, upper[across.near], across.of_far * upper[across.far]),
              below = fma (across.of_near, lower[across.near], across.of_far * lower[across.far]);
  return fma (down.of_near, above, down.of_far * below);
}

kernel void cone_back_project (global const float *bins, constant const View *views, int count, int first,
                               const Frame f, global float *volume)
{
  const Place p = place_of (f);
  if (!inside (f, p))
    return;
  const float4 at = column_of (f, p);
  float sums[Z];
  take (f, p, first, volume, sums);
  for (int view = 0; view < count; view++, bins += (size_t) f.rows * f.columns) {
#ifdef UPRIGHT
    const Upright u = upright (views + view, at);
    const Pair across = pair_at (u.place, f.first_column, f.columns);
#pragma unroll
    for (int i = 0; i < Z; i++) {
      const Pair down = pair_at (row_of_voxel (u, f, p, i, views + view), f.first_row, f.rows);
      sums[i] = added (sums[i], u.weight, between (bins, f, across, down), views + view, f, p, i);
    }
#else
#pragma unroll
    for (int i = 0; i < Z; i++) {
      const Spot s = spot_of (views + view, at, z_of (f, p, i, views + view));
      const float value = between (bins, f, pair_at (s.column, f.first_column, f.columns),
                                   pair_at (s.row, f.first_row, f.rows));
      sums[i] = added (sums[i], s.weight, value, views + view, f, p, i);
    }
#endif
  }
  give (f, p, volume, sums);
}
