// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection as its definition says: a work-item per pixel, buffers only, OpenCL C 1.2 without extensions.
//
//   -DLANES=n        slices side by side in `bins`: 1, 2, 4, 8, 16 or 32
//   -DHALF           bins are IEEE half, else float
//   -DNEAREST        the nearest bin, else linear interpolation between the centres of bins
//   -DMASK           pixels with the centre outside the inscribed circle of the full slice are 0
//
// Positions are integers in units of 2^-FRACTION of a bin. They are exact wherever the region of interest begins and
// however the rows are split into launches, and need no double precision.

#define FRACTION 40

// One ray in these units. `origin` is where the centre of pixel (0, 0) of the full slice is seen, counted from the centre
// of bin 0 (from its left border when NEAREST); x and y are the steps to the next column and row.
typedef struct {
  long origin, x, y;
  float weight, unused;
} Ray;

#ifdef HALF
#define VALUE(bins, i) vload_half (i, bins)
typedef half Bin;
#else
#define VALUE(bins, i) bins[i]
typedef float Bin;
#endif

// Adds a bin to all lanes; there is nothing outside the detector.
void add (float *sum, global const Bin *ray, int bin, int size, float weight)
{
  if (bin < 0 || bin >= size)
    return;
  for (int lane = 0; lane < LANES; lane++)
    sum[lane] += weight * VALUE (ray, (size_t)bin * LANES + lane);
}

// Whether the centre of a pixel lies in the circle. Twice the distances are integers.
bool in_circle (int x, int y, int size)
{
  const long dx = 2 * (long)x + 1 - size, dy = 2 * (long)y + 1 - size;
  return dx * dx + dy * dy <= (long)size * size;
}

// bins: [ray][size][LANES]; out: [slice][height][width], of which each launch fills the rows of its range.
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
#ifdef MASK
  if (!in_circle (x, y, size))
    ray_count = 0;
#endif
  for (int k = 0; k < ray_count; k++) {
    const Ray ray = rays[k];
    global const Bin *line = bins + (size_t)k * size * LANES;
    const long u = ray.origin + x * ray.x + y * ray.y;
    const int bin = (int)(u >> FRACTION); // rounds down
#ifdef NEAREST
    add (sum, line, bin, size, ray.weight);
#else
    // The fraction's upper 24 bits are exact in float.
    const float right = ray.weight * ((float)((u >> (FRACTION - 24)) & 0xffffff) * 0x1p-24f);
    add (sum, line, bin, size, ray.weight - right);
    add (sum, line, bin + 1, size, right);
#endif
  }
  for (int lane = 0; lane < LANES; lane++)
    if (lane < slices)
      out[((size_t)lane * height + row) * width + column] = sum[lane];
}
