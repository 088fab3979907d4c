// SPDX-License-Identifier: LGPL-3.0-or-later
// Interpolates with the texture engine, from one 2-D image per view in an array. (NVIDIA boards read 3-D images at half
// the speed.) Values beyond the detector are zeros.
//
// An image has the rows that the slices of a work item need. To make a voxel's bits independent of the first row, rows
// are rounded to a grid of about 2^-11 before the first row is subtracted: `grid` is so large that floats of its size
// have no finer steps.
#include "voxels.cl"

constant const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

inline float value_at (read_only image2d_array_t bins, const Frame f, float column, float row, int view)
{
  const float rounded = (row + f.grid) - (f.grid + (f.first_row - 0.5f));
  return read_imagef (bins, linear, (float4) (column - f.first_column + 0.5f, rounded, view, 0)).x;
}

inline __attribute__ ((always_inline)) void add_view (read_only image2d_array_t bins, constant const View *views,
                                                      int number, const Frame f, const Place p, const float4 at,
                                                      int takers, float sums[Z])
{
  constant const View *view = views + number;
#ifdef UPRIGHT
  const Upright u = upright (view, at);
#pragma unroll
  for (int i = 0; i < Z; i++)
    sums[i] = added (sums[i], u.weight, value_at (bins, f, u.place, row_of_voxel (u, f, p, i, view), number), view, f,
                     p, i, takers);
#else
#pragma unroll
  for (int i = 0; i < Z; i++) {
    const Spot s = spot_of (view, at, z_of (f, p, i, view));
    sums[i] = added (sums[i], s.weight, value_at (bins, f, s.column, s.row, number), view, f, p, i, takers);
  }
#endif
}

kernel void cone_back_project (read_only image2d_array_t bins, constant const View *views, int count, int first,
                               const Frame f, global float *volume)
{
  const Place p = place_of (f);
  if (!inside (f, p))
    return;
  const float4 at = column_of (f, p);
  float sums[Z];
  take (f, p, first, volume, sums);
  for (int view = 0; view < count; view++) {
    const int takers = takers_of (views + view, f, p);
    if (takers == ALL)
      add_view (bins, views, view, f, p, at, ALL, sums);
    else if (takers == SOME)
      add_view (bins, views, view, f, p, at, SOME, sums);
  }
  give (f, p, volume, sums);
}
