// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection for GPUs without images and without local memory. A work-item computes PIXELS pixels, one below the
// other. From one pixel to the next the position moves by at most one bin, so the two bins around it form a window in
// registers that slides along the ray. A bin is read when the window reaches it, less than once per pixel; the fraction
// of a bin needs no rounding or conversion. Slices in lanes (section 5.2 of the paper) share everything except the
// sums.
//
//   -DLANES=n        1, 2 or 4; 4 is one load of 16 bytes (8 with HALF) and needs 4 PIXELS registers for the sums
//   -DHALF           half as many bytes per load
//   -DNEAREST        one bin instead of two
//   -DMASK           work-items with all pixels outside the circle are skipped
//   -DPIXELS=n       1 to 64; more of them share the start of a ray, in more registers
//
// Work-groups of any size X x Y, area X x (PIXELS Y); 32 x 4 is a good start. No local memory.
#include "rays.cl"

#ifndef PIXELS
#define PIXELS 16
#endif

#if LANES == 1
typedef float Lanes;
#define LOAD_HALF vload_half
#elif LANES == 2
typedef float2 Lanes;
#define LOAD_HALF vloada_half2
#else
typedef float4 Lanes;
#define LOAD_HALF vloada_half4
#endif

typedef struct {
  global const Bin *line;
  int size;
  float weight;
} Line;

// `part`: position between the bins, from 0 to 1.
typedef struct {
  int bin;
  float part;
  Lanes left, right;
} Window;

// Bin of a ray; bins outside the detector are 0.
Lanes load (Line from, int bin)
{
  if (bin < 0 || bin >= from.size)
    return 0;
#ifdef HALF
  return from.weight * LOAD_HALF (bin, from.line);
#else
  return from.weight * ((global const Lanes *)from.line)[bin];
#endif
}

Window open_at (long u, Line from)
{
  Window w = {whole_bins (u), part_of_bin (u), 0, 0};
  w.left = load (from, w.bin);
#ifndef NEAREST
  w.right = load (from, w.bin + 1);
#endif
  return w;
}

// Moves the window by at most one bin.
Window slide (Window w, float step, Line from)
{
  w.part += step;
  if (w.part >= 1) {
    w.part -= 1;
    w.bin++;
#ifdef NEAREST
    w.left = load (from, w.bin);
#else
    w.left = w.right;
    w.right = load (from, w.bin + 1);
#endif
  } else if (w.part < 0) {
    w.part += 1;
    w.bin--;
    w.right = w.left;
    w.left = load (from, w.bin);
  }
  return w;
}

Lanes add (Lanes sum, Window w)
{
#ifdef NEAREST
  return sum + w.left;
#else
  return (sum + w.left * (1 - w.part)) + w.right * w.part;
#endif
}

kernel void back_project (global const Bin *bins, global const Ray *rays, int ray_count, int size, int left, int top,
                          int width, int height, int slices, global float *out)
{
  const int column = get_global_id (0), row = get_global_id (1) * PIXELS;
  if (column >= width || row >= height)
    return;
  const int x = left + column, y = top + row;
  if (!area_is_wanted (x, y, 1, PIXELS, size))
    ray_count = 0;

  Lanes sum[PIXELS];
#pragma unroll
  for (int i = 0; i < PIXELS; i++)
    sum[i] = 0;
  for (int k = 0; k < ray_count; k++) {
    const Ray ray = rays[k];
    const Line line = {bins + (size_t)k * size * LANES, size, ray.weight};
    Window window = open_at (seen_at (ray, x, y), line);
    sum[0] = add (sum[0], window);
#pragma unroll
    for (int i = 1; i < PIXELS; i++) {
      window = slide (window, ray.down, line);
      sum[i] = add (sum[i], window);
    }
  }

#pragma unroll
  for (int i = 0; i < PIXELS; i++) {
    const float *values = (const float *)&sum[i];
#pragma unroll
    for (int lane = 0; lane < LANES; lane++)
      if (lane < slices && row + i < height)
        out[((size_t)lane * height + row + i) * width + column] = is_wanted (x, y + i, size) ? values[lane] : 0;
  }
}
