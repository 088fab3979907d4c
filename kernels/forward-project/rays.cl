// SPDX-License-Identifier: LGPL-3.0-or-later
// What the kernels share: the rays of pixels by P. M. Joseph's method, as in rays.hpp, and the part of a ray that lies in
// a slab, which is some neighbouring slices in the device's memory.
//
// A work-item adds up one ray. On a plane, the ray reads between the slices k and k + 1. A slab has the planes with k in
// its own range, so each plane is read in one slab only. Planes are read in the order of increasing z, and the sum stays
// in memory between slabs. So a ray adds the same numbers in the same order for any slabs.
//
// Positions are integers, in units of 2^-32 voxels. So they do not drift, all devices have the same ones, and the range of
// planes is exact.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF // fused where it says so, on every device

typedef struct {
  double x, y, z, unused;
} Point;

// Lengths in the unit of the scan.
typedef struct {
  Point source;      // or direction of the rays
  Point corner;      // corner of the detector
  Point column, row; // from one column, or row, to the next
  long first;        // place of the first ray in the sums
  int parallel;
  int across, down; // number of rays of a pixel
  int unused[3];
} View;

typedef struct {
  double first_x, first_y, first_z; // centre of voxel (0, 0, 0)
  double size, scale;               // edge of a voxel, and its inverse
  int width, height;                      // voxels of a slice
  int begin, end;                         // range of k
  int columns, rows, first_row;           // pixels of a projection, and the first row
  int count;                              // number of views
} Frame;

// Positions at plane 0 and from plane to plane, along the line of voxels and across lines: x or y, and z; x and y if the
// planes are slices.
typedef struct {
  int along; // 0: x, 1: y, 2: z
  long in, in_step, up, up_step;
  float length; // of the ray between two planes
} Ray;

// Planes of a ray: `count` planes from `first`, each `step` after the one before.
typedef struct {
  int first, count, step;
} Planes;

// Work-groups of the views are side by side, then come those of the next columns: views are near each other in time and
// read voxels near each other.
typedef struct {
  int view, ray, line; // number of the ray in its line of rays
} Place;

inline Place place_of (const Frame f)
{
  const int item = get_global_id (0), group = item / WIDE;
  const Place p = {group % f.count, group / f.count * WIDE + item % WIDE, get_global_id (1)};
  return p;
}

inline bool has_ray (const Frame f, constant const View *view, const Place p)
{
  return p.ray < f.columns * view->across && p.line < f.rows * view->down;
}

inline size_t place_in_sums (const Frame f, constant const View *view, const Place p)
{
  return view->first + (size_t) p.line * (f.columns * view->across) + p.ray;
}

inline long fixed (double voxels)
{
  return convert_long_rte (voxels * 4294967296.0);
}

inline Ray ray_of (const Frame f, constant const View *view, const Place p)
{
  // Many GPUs are slow in double, above all in divisions.
  double column = p.ray + 0.5, row = f.first_row + (p.line + 0.5);
  if (view->across > 1)
    column /= view->across;
  if (view->down > 1)
    row = f.first_row + p.line / view->down + (p.line % view->down + 0.5) / view->down;
  const double pixel_x = view->corner.x + column * view->column.x + row * view->row.x,
               pixel_y = view->corner.y + column * view->column.y + row * view->row.y,
               pixel_z = view->corner.z + column * view->column.z + row * view->row.z;
  const double way_x = view->parallel ? view->source.x : pixel_x - view->source.x,
               way_y = view->parallel ? view->source.y : pixel_y - view->source.y,
               way_z = view->parallel ? view->source.z : pixel_z - view->source.z;
  const double x = f.scale * (pixel_x - f.first_x), y = f.scale * (pixel_y - f.first_y),
               z = f.scale * (pixel_z - f.first_z);
  const double most = fmax (fmax (fabs (way_x), fabs (way_y)), fabs (way_z));
  Ray ray;
  ray.along = fabs (way_z) == most ? 2 : fabs (way_y) == most ? 1 : 0;
  const double ahead = ray.along == 2 ? z : ray.along == 1 ? y : x,
               way = 1 / (ray.along == 2 ? way_z : ray.along == 1 ? way_y : way_x);
  const double in_step = (ray.along == 0 ? way_y : way_x) * way, up_step = (ray.along == 2 ? way_y : way_z) * way;
  const float wide = in_step, high = up_step;
  ray.length = (float) f.size * sqrt (fma (wide, wide, fma (high, high, 1)));
  ray.in = fixed ((ray.along == 0 ? y : x) - ahead * in_step);
  ray.up = fixed ((ray.along == 2 ? y : z) - ahead * up_step);
  ray.in_step = fixed (in_step);
  ray.up_step = fixed (up_step);
  return ray;
}

// Returns the first n from `begin` to `end` with start + n step >= least, for a step that is not negative.
inline int first_from (long start, long step, long least, int begin, int end)
{
  if (step == 0)
    return start >= least ? begin : end;
  // The quotient of floats may be off by one.
  int n = (int) clamp (ceil ((float) (least - start) / (float) step), (float) begin, (float) end);
  while (n > begin && start + (n - 1) * step >= least)
    n--;
  while (n < end && start + n * step < least)
    n++;
  return n;
}

// Returns the planes, from range.x to range.y, on which low <= start + n step < high.
inline int2 planes_between (long start, long step, long low, long high, int2 range)
{
  const bool falls = step < 0;
  const long from = falls ? -start : start, by = falls ? -step : step, least = falls ? 1 - high : low,
             above = falls ? 1 - low : high;
  return (int2) (first_from (from, by, least, range.x, range.y), first_from (from, by, above, range.x, range.y));
}

inline long whole (int voxels)
{
  return voxels * (1L << 32);
}

inline Planes planes_of (const Frame f, const Ray ray)
{
  int2 range;
  if (ray.along == 2) {
    range = planes_between (ray.in, ray.in_step, whole (-1), whole (f.width), (int2) (max (f.begin, 0), f.end));
    range = planes_between (ray.up, ray.up_step, whole (-1), whole (f.height), range);
  } else {
    const int planes = ray.along == 1 ? f.height : f.width, across = ray.along == 1 ? f.width : f.height;
    range = planes_between (ray.in, ray.in_step, whole (-1), whole (across), (int2) (0, planes));
    range = planes_between (ray.up, ray.up_step, whole (f.begin), whole (f.end), range);
  }
  const bool falls = ray.along != 2 && ray.up_step < 0;
  const Planes p = {falls ? range.y - 1 : range.x, max (range.y - range.x, 0), falls ? -1 : 1};
  return p;
}
