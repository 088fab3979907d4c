// SPDX-License-Identifier: LGPL-3.0-or-later
// Upright views: a column of voxels is projected to one line between two detector columns. These columns are blended
// once, for the part that the work-item's Z voxels need, into a line in local memory, from which each voxel reads two
// values.
//
//   detector   | |  line           voxels
//   row r      a b  a + t (b - a)   .
//   row r+1    a b  a + t (b - a)   .   between two values of the line
//   row r+2    a b  a + t (b - a)   .
//
// Each work-item has its own line, so that none waits for another. LINE values suffice for the steepest view.
#include "voxels.cl"

#define ITEMS (WIDE * HIGH) // the lines of neighbours are interleaved

// Index of the row above a position, from the bits of a float too large for fractions: cheaper than floor and
// conversion.
inline float raised (float row)
{
  return row - 0.5f + 12582912.0f;
}
inline int row_of (float raised)
{
  return as_int (raised) - as_int (12582912.0f);
}

inline __attribute__ ((always_inline)) void add_view (global const float *bins, constant const View *view,
                                                      const Frame f, const Place p, const float4 at, local float *line,
                                                      int takers, float sums[Z])
{
  const Upright u = upright (view, at);
  const Pair across = pair_at (u.place, f.first_column, f.columns);
  const float one = row_of_voxel (u, f, p, 0, view), other = row_of_voxel (u, f, p, Z - 1, view);
  const int begin = row_of (raised (fmin (one, other))), values = row_of (raised (fmax (one, other))) + 2 - begin;

  const int top = begin - f.first_row;
  global const float *left = bins + (long) top * f.columns + across.near;
  const int right = across.far - across.near;
  if (top >= 0 && top + values <= f.rows)
#pragma unroll 4
    for (int i = 0; i < values; i++, left += f.columns)
      line[i * ITEMS] = fma (across.of_near, left[0], across.of_far * left[right]);
  else
    for (int i = 0; i < values; i++, left += f.columns)
      line[i * ITEMS] = top + i >= 0 && top + i < f.rows ? fma (across.of_near, left[0], across.of_far * left[right])
                                                         : 0;

#pragma unroll
  for (int i = 0; i < Z; i++) {
    const float row = row_of_voxel (u, f, p, i, view), above = raised (row), share = row - (above - 12582912.0f);
    local const float *here = line + (row_of (above) - begin) * ITEMS;
    sums[i] = added (sums[i], u.weight, fma (1 - share, here[0], share * here[ITEMS]), view, f, p, i, takers);
  }
}

kernel __attribute__ ((reqd_work_group_size (WIDE, HIGH, 1))) void
cone_back_project (global const float *bins, constant const View *views, int count, int first, const Frame f,
                   global float *volume)
{
  local float lines[LINE * ITEMS];
  const Place p = place_of (f);
  if (!inside (f, p))
    return;
  local float *line = lines + get_local_id (1) * WIDE + get_local_id (0);
  const float4 at = column_of (f, p);
  float sums[Z];
  take (f, p, first, volume, sums);
  for (int view = 0; view < count; view++, bins += (size_t) f.rows * f.columns) {
    const int takers = takers_of (views + view, f, p);
    if (takers == ALL)
      add_view (bins, views + view, f, p, at, line, ALL, sums);
    else if (takers == SOME)
      add_view (bins, views + view, f, p, at, line, SOME, sums);
  }
  give (f, p, volume, sums);
}
