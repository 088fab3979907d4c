// SPDX-License-Identifier: LGPL-3.0-or-later
// Common part of the kernels: voxels of a work-item, and their projections in views.
//
// A work-item computes Z voxels, one above the other. All of them process one view after the other, so a voxel is read
// and written once per launch, for any number of views.
//
// Positions count from the middle voxel and from a middle value of the detector, where floats are precise. A view of a
// helix counts z from a place that its detector sees in the middle. The sum of a voxel has the order of the views, and
// the same operations wherever a launch or a work-item begins.

#pragma OPENCL FP_CONTRACT OFF // fused where it says so, on every device

// Column, row and depth of a voxel are dot products with (x, y, z, 1); column and row must be divided by the depth.
typedef struct {
  float4 column, row, depth;
  float weight;
  int first_slice, end_slice; // slices of the volume that take the view, see takers_of ()
  float seen;                 // z that the detector sees in its middle; 0 without TURNS
} View;

typedef struct {
  int width, height, depth; // voxels of the block; depth: up to the last slice of the launch
  int first_z;              // slices of the volume before the block
  float middle_x, middle_y, middle_z; // middle of the volume
  float radius; // radius, in voxels, of the circle outside of which voxels are 0
  float axis_x, axis_y; // centre of the circle
  int columns, rows;                    // values of a projection
  int first_column, first_row; // position of the first value, from the middle of the detector
  float grid;                           // see image.cl
  int begin;                            // slices of the block before those of the launch
} Frame;

typedef struct {
  int x, y, z; // the first voxel; the work-item computes Z voxels along z
} Place;

// Groups are side by side, then below each other; then come the next layers of Z slices.
inline Place place_of (const Frame f)
{
  const int lines = (f.height + HIGH - 1) / HIGH * HIGH, line = get_global_id (1);
  const Place p = {get_global_id (0), line % lines, f.begin + line / lines * Z};
  return p;
}

inline bool inside (const Frame f, const Place p)
{
  return p.x < f.width && p.y < f.height;
}

// Returns (x, y, 0, 1) of a place; z_of (f, p, i, view) is the z of voxel i.
inline float4 column_of (const Frame f, const Place p)
{
  return (float4) (p.x - f.middle_x, p.y - f.middle_y, 0, 1);
}
inline float z_of (const Frame f, const Place p, int i, constant const View *view)
{
  const float z = f.first_z + p.z + i - f.middle_z;
#ifdef TURNS
  return z - view->seen; // exact: multiples of 1/2
#else
  return z;
#endif
}

inline float along (const float4 of, const float4 at)
{
  return fma (of.x, at.x, fma (of.y, at.y, of.w));
}

inline global float *voxel (const Frame f, const Place p, int i, global float *volume)
{
  return volume + ((size_t) (p.z + i) * f.height + p.y) * f.width + p.x;
}

// The first launch starts with zeros.
inline void take (const Frame f, const Place p, int first, global float *volume, float sums[Z])
{
#pragma unroll
  for (int i = 0; i < Z; i++)
    sums[i] = first || p.z + i >= f.depth ? 0 : *voxel (f, p, i, volume);
}

inline void give (const Frame f, const Place p, global float *volume, const float sums[Z])
{
  const float x = p.x - f.axis_x, y = p.y - f.axis_y;
  const bool seen = !(fma (x, x, y * y) > f.radius * f.radius);
#pragma unroll
  for (int i = 0; i < Z; i++)
    if (p.z + i < f.depth)
      *voxel (f, p, i, volume) = seen ? sums[i] : 0;
}

// How many voxels of a work-item take a view. With TURNS, slices take only the views of their turn of a helix. Only for
// SOME each voxel is compared, before its value is read: image has 0.6 of its speed there, columns three quarters.
enum { NONE, SOME, ALL };

inline int takers_of (constant const View *view, const Frame f, const Place p)
{
#ifdef TURNS
  const int first = f.first_z + p.z;
  if (first >= view->end_slice || first + Z <= view->first_slice)
    return NONE;
  return first >= view->first_slice && first + Z <= view->end_slice ? ALL : SOME;
#else
  return ALL;
#endif
}

// The sum of voxel i with a weighted value of a view, if its slice takes the view.
inline float added (const float sum, const float weight, const float value, constant const View *view, const Frame f,
                    const Place p, int i, int takers)
{
  const int slice = f.first_z + p.z + i;
  if (takers == SOME && (slice < view->first_slice || slice >= view->end_slice))
    return sum;
  return fma (weight, value, sum);
}

// The two values around a position, and their weights; values beyond the detector have weight 0.
typedef struct {
  int near, far;
  float of_near, of_far;
} Pair;

inline Pair pair_at (float place, int first, int count)
{
  const float below = floor (place), share = place - below;
  const int at = (int) clamp (below - first, -2.0f, count + 1.0f); // NaN for voxels in the source: any value
  const Pair p = {clamp (at, 0, count - 1), clamp (at + 1, 0, count - 1), at >= 0 && at < count ? 1 - share : 0,
                  at >= -1 && at < count - 1 ? share : 0};
  return p;
}

// Upright view: all voxels of a column have one detector column and depth, and equal steps along the rows.
typedef struct {
  float place, weight, row, step;
} Upright;

inline Upright upright (constant const View *view, const float4 at)
{
  const float near = 1 / along (view->depth, at);
  const Upright u = {along (view->column, at) * near, view->weight * near * near, along (view->row, at) * near,
                     view->row.z * near};
  return u;
}

inline float row_of_voxel (const Upright u, const Frame f, const Place p, int i, constant const View *view)
{
  return fma (u.step, z_of (f, p, i, view), u.row);
}

// Tilted view: voxels share nothing.
typedef struct {
  float column, row, weight;
} Spot;

inline Spot spot_of (constant const View *view, const float4 at, float z)
{
  const float near = 1 / fma (view->depth.z, z, along (view->depth, at));
  const Spot s = {fma (view->column.z, z, along (view->column, at)) * near,
                  fma (view->row.z, z, along (view->row, at)) * near, view->weight * near * near};
  return s;
}
