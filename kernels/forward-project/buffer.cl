// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums along rays with exact weights. The slab is in two buffers, with lines along x and with lines along y, so that
// neighbouring rays read neighbouring values. Zeros lie around the voxels of a slice, because rays also read beyond them.
#include "rays.cl"

#define SIDE 16

// Copies neighbouring slices to the slab, from its slice `to`.
kernel __attribute__ ((reqd_work_group_size (SIDE, SIDE, 1))) void
arrange (global const float *slices, ulong from, int width, int height, int to, global float *lines,
         global float *columns)
{
  local float tile[SIDE][SIDE + 1];
  const int i = get_local_id (0), j = get_local_id (1), left = get_group_id (0) * SIDE, top = get_group_id (1) * SIDE;
  const size_t size = (size_t) (width + 2) * (height + 2), n = get_group_id (2);
  slices += from + n * width * height;
  lines += (to + n) * size;
  columns += (to + n) * size;
  const bool there = left + i < width && top + j < height;
  tile[j][i] = there ? slices[(size_t) (top + j) * width + left + i] : 0;
  if (there)
    lines[(size_t) (top + j + 1) * (width + 2) + left + i + 1] = tile[j][i];
  barrier (CLK_LOCAL_MEM_FENCE);
  if (left + j < width && top + i < height)
    columns[(size_t) (left + j + 1) * (height + 2) + top + i + 1] = tile[i][j];
}

// Returns the part of a position behind the voxel before it.
inline float share (long place)
{
  return as_float (0x3f800000u | (uint) place >> 9) - 1;
}

inline int before (long place)
{
  return (int) (place >> 32);
}

kernel void forward_project (constant const View *views, const Frame f, global const float *lines,
                             global const float *columns, global float *sums)
{
  const Place p = place_of (f);
  constant const View *view = views + p.view;
  if (!has_ray (f, view, p))
    return;
  const Ray ray = ray_of (f, view, p);
  const Planes planes = planes_of (f, ray);
  if (planes.count == 0)
    return;
  // Distances of neighbours in the slab; a plane is a line in each slice, or a slice.
  const int slice = (f.width + 2) * (f.height + 2), line = (ray.along == 0 ? f.height : f.width) + 2;
  const int up = ray.along == 2 ? line : slice, step = planes.step * (ray.along == 2 ? slice : line);
  global const float *voxels = ray.along == 0 ? columns : lines;
  int plane = 1 + (ray.along == 2 ? (planes.first - f.begin) * slice + line : (planes.first + 1) * line);
  long in = ray.in + planes.first * ray.in_step, above = ray.up + planes.first * ray.up_step - whole (ray.along == 2 ? 0 : f.begin);
  const long in_step = planes.step * ray.in_step, up_step = planes.step * ray.up_step;
  global float *out = sums + place_in_sums (f, view, p);
  float sum = *out;
#pragma unroll 4
  for (int n = 0; n < planes.count; n++) {
    global const float *at = voxels + (before (above) * up + before (in) + plane);
    const float right = share (in), lower = share (above);
    const float one = fma (right, at[1] - at[0], at[0]), other = fma (right, at[up + 1] - at[up], at[up]);
    sum = fma (ray.length, fma (lower, other - one, one), sum);
    in += in_step;
    above += up_step;
    plane += step;
  }
  *out = sum;
}

#include "average.cl"
