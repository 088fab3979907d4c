// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection by its definition: one work-item per pixel, buffers only, no extensions. The reference for other
// kernels. Any group size; LANES 1, 2, 4, 8, 16 or 32. -DOVERSAMPLE: positions are rounded to quarters of a bin.
#include "rays.cl"

// Adds a bin to all lanes; bins outside the detector are 0.
void add (float *sum, global const Bin *ray, int bin, int size, float weight)
{
  if (bin < 0 || bin >= size)
    return;
  for (int lane = 0; lane < LANES; lane++)
    sum[lane] += weight * BIN (ray, (size_t)bin * LANES + lane);
}

kernel void back_project (global const Bin *bins, global const Ray *rays, int ray_count, int size, int left, int top,
                          int width, int height, int slices, global float *out)
{
  const int column = get_global_id (0), row = get_global_id (1);
  if (column >= width || row >= height)
    return;
  const int x = left + column, y = top + row;

  float sum[LANES];
  for (int lane = 0; lane < LANES; lane++)
    sum[lane] = 0;
  if (!is_wanted (x, y, size))
    ray_count = 0;
  for (int k = 0; k < ray_count; k++) {
    const Ray ray = rays[k];
    global const Bin *line = bins + (size_t)k * size * LANES;
    long u = seen_at (ray, x, y);
#ifdef OVERSAMPLE
    u = (u + (1L << (FRACTION - 3))) & -(1L << (FRACTION - 2));
#endif
    const int bin = whole_bins (u);
#ifdef NEAREST
    add (sum, line, bin, size, ray.weight);
#else
    const float right = ray.weight * part_of_bin (u);
    add (sum, line, bin, size, ray.weight - right);
    add (sum, line, bin + 1, size, right);
#endif
  }
  for (int lane = 0; lane < LANES; lane++)
    if (lane < slices)
      out[((size_t)lane * height + row) * width + column] = sum[lane];
}
