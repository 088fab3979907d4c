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

inline __attribute__ ((always_inline)) void add_view (global const float *bins, constant const View *view,
                                                      const Frame f, const Place p, const float4 at, int takers,
                                                      float sums[Z])
{
#ifdef UPRIGHT
  const Upright u = upright (view, at);
  const Pair across = pair_at (u.place, f.first_column, f.columns);
#pragma unroll
  for (int i = 0; i < Z; i++) {
    const Pair down = pair_at (row_of_voxel (u, f, p, i, view), f.first_row, f.rows);
    sums[i] = added (sums[i], u.weight, between (bins, f, across, down), view, f, p, i, takers);
  }
#else
#pragma unroll
  for (int i = 0; i < Z; i++) {
    const Spot s = spot_of (view, at, z_of (f, p, i, view));
    const float value =
        between (bins, f, pair_at (s.column, f.first_column, f.columns), pair_at (s.row, f.first_row, f.rows));
    sums[i] = added (sums[i], s.weight, value, view, f, p, i, takers);
  }
#endif
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
    const int takers = takers_of (views + view, f, p);
    if (takers == ALL)
      add_view (bins, views + view, f, p, at, ALL, sums);
    else if (takers == SOME)
      add_view (bins, views + view, f, p, at, SOME, sums);
  }
  give (f, p, volume, sums);
}
