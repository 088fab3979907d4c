// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection for CPUs: the lanes of several slices fill the vectors of the CPU (section 6.10 of the paper), and
// data that is read repeatedly stays in its caches.
//
// A work-item makes a square tile, alone in its work-group. For a batch of rays it copies the bins that the tile needs
// into a window, as floats, times the weight of the ray, with zeros beyond the detector. Then it goes through the tile
// by cells of CELL x CELL pixels, whose part of the window fits into L1: it locates a row of a cell in all rays of the
// batch, a vector of pixels at once, and adds up several pixels in registers over the batch, a vector of lanes at once.
// A sum in L2 is read and written once per batch.
//
//   -DLANES=n        4, 8, 16 or 32; a vector of the CPU or more: fewer cost the same time per ray and pixel
//   -DHALF           half as many bytes from memory; converted once per tile, so next to nothing in time
//   -DNEAREST        one bin per pixel instead of two
//   -DOVERSAMPLE     instead: the nearest of four points per bin, which are interpolated once per tile (section 7.2);
//                    one read per pixel from a window four times as large
//   -DMASK           cells outside the circle are skipped
//   -DTILE=n         side of a tile, a multiple of 16; larger ones read bins less often and need more of L2
//   -DBATCH=n        rays in a batch, any; more touch the sums less often and need more of L1 (LANES 32, OVERSAMPLE: 8)
//   -DPIXELS=n       1, 2, 4, 8 or 16 pixels with sums in registers
//
// Work-group 1 x 1, area TILE x TILE. Local memory: 4 LANES (TILE^2 + BATCH SPAN) bytes, SPAN being 3/2 TILE + 4 or,
// with OVERSAMPLE, 4 (3/2 TILE + 4). Private memory beside registers: 140 BATCH bytes.
#include "rays.cl"

#ifndef TILE
#define TILE 64
#endif
#ifndef BATCH
#define BATCH 16
#endif
#ifndef PIXELS
#define PIXELS 8
#endif

#define CELL 16 // side of a cell; the longest vector has 16 floats

#if LANES == 4
typedef float4 Lanes;
#define LOAD_FLOAT vload4
#define LOAD_HALF vload_half4
#elif LANES == 8
typedef float8 Lanes;
#define LOAD_FLOAT vload8
#define LOAD_HALF vload_half8
#else
typedef float16 Lanes;
#define LOAD_FLOAT vload16
#define LOAD_HALF vload_half16
#endif
#define VECTORS ((LANES + 15) / 16) // vectors per bin

#ifdef OVERSAMPLE
#define POINTS 4
#else
#define POINTS 1
#endif

// Bins of a window: the diagonal of the tile is shorter than 3/2 of its side, and the last pixel needs a right
// neighbour and may be rounded up.
#define WINDOW (TILE * 3 / 2 + 4)
#define SPAN (WINDOW * POINTS)

typedef struct {
  int x, y, width, height; // the wanted pixels of the tile
} Tile;

// Positions of a row of a cell in all rays of a batch.
typedef struct {
  int16 left[BATCH];    // vectors before the left bin in the windows
  float16 right[BATCH]; // weight of the right bin
} Positions;

// First bin that a square of pixels needs; (x, y) is its first pixel.
int first_bin (Ray ray, int x, int y, int side)
{
  return whole_bins (seen_at (ray, x, y) + (side - 1) * (min (ray.x, 0L) + min (ray.y, 0L)));
}

Lanes load (size_t vector, global const Bin *bins)
{
#ifdef HALF
  return LOAD_HALF (vector, bins);
#else
  return LOAD_FLOAT (vector, bins);
#endif
}

// Copies bins begin, begin + 1 ... of a ray into a window, with space for the interpolated points between them.
void copy_bins (global const Bin *line, int size, int begin, float weight, local Lanes *window)
{
  for (int i = 0; i < WINDOW; i++) {
    const int bin = begin + i;
    const bool inside = bin >= 0 && bin < size;
    for (int j = 0; j < VECTORS; j++)
      window[i * POINTS * VECTORS + j] = inside ? weight * load ((size_t)bin * VECTORS + j, line) : 0;
  }
}

// Interpolates the points between the bins of a window.
void interpolate_points (local Lanes *window)
{
  for (int i = 0; i < WINDOW - 1; i++)
    for (int point = 1; point < POINTS; point++)
      for (int j = 0; j < VECTORS; j++) {
        local Lanes *bin = window + i * POINTS * VECTORS + j;
        bin[point * VECTORS] = bin[0] + (bin[POINTS * VECTORS] - bin[0]) * ((float)point / POINTS);
      }
}

// Locates row `row` of a cell. `bins`: index in the windows of the cell's first bin; `corner`: position of the cell's
// first pixel relative to that bin. Positions are not negative except for rounding, so truncation rounds down.
void locate_row (global const Ray *rays, int count, const int *bins, const float *corner, int row, Positions *positions)
{
  const float16 columns = (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (int k = 0; k < count; k++) {
    float16 u = columns * rays[k].across + (corner[k] + row * rays[k].down);
#ifdef OVERSAMPLE
    u = u * POINTS + 0.5f;
#endif
    const int16 bin = convert_int16 (u);
    positions->left[k] = (bin + bins[k]) * VECTORS;
    positions->right[k] = u - convert_float16 (bin);
  }
}

// Written as one expression, so that compilers use a fused multiply-add if the CPU has it; fma () would be slow on
// others.
Lanes add (Lanes sum, Lanes left, Lanes right, float weight)
{
#if defined(NEAREST) || defined(OVERSAMPLE)
  return sum + left;
#else
  return (sum + left) + (right - left) * weight;
#endif
}

// Adds all rays of a batch to PIXELS pixels of a row, beginning at `column` of their cell.
void add_pixels (local const Lanes *window, const Positions *positions, int count, int column, local Lanes *sums)
{
  Lanes sum[PIXELS * VECTORS];
#pragma unroll
  for (int i = 0; i < PIXELS * VECTORS; i++)
    sum[i] = 0;
  for (int k = 0; k < count; k++) {
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
      local const Lanes *left = window + ((const int *)&positions->left[k])[column + i];
      const float weight = ((const float *)&positions->right[k])[column + i];
#pragma unroll
      for (int j = 0; j < VECTORS; j++)
        sum[i * VECTORS + j] = add (sum[i * VECTORS + j], left[j], left[VECTORS + j], weight);
    }
  }
#pragma unroll
  for (int i = 0; i < PIXELS * VECTORS; i++)
    sums[i] += sum[i];
}

// Adds all rays of a batch to the cell that begins at (column, row) of the tile.
void add_cell (global const Ray *rays, int count, const int *begin, local const Lanes *window, Tile tile, int column,
               int row, local Lanes *sums)
{
  int bins[BATCH];
  float corner[BATCH];
  for (int k = 0; k < count; k++) {
    const int x = tile.x + column, y = tile.y + row, first = first_bin (rays[k], x, y, CELL);
    const long u = seen_at (rays[k], x, y);
    bins[k] = k * SPAN + (first - begin[k]) * POINTS;
    corner[k] = (whole_bins (u) - first) + part_of_bin (u);
  }
  const int right = min (CELL, tile.width - column), bottom = min (CELL, tile.height - row);
  for (int y = 0; y < bottom; y++) {
    Positions positions;
    locate_row (rays, count, bins, corner, y, &positions);
    for (int x = 0; x < right; x += PIXELS)
      add_pixels (window, &positions, count, x, sums + ((row + y) * TILE + column + x) * VECTORS);
  }
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void back_project (global const Bin *bins,
                                                                           global const Ray *rays, int ray_count,
                                                                           int size, int left, int top, int width,
                                                                           int height, int slices, global float *out)
{
  const int column = get_global_id (0) * TILE, row = get_global_id (1) * TILE;
  if (column >= width || row >= height)
    return;
  const Tile tile = {left + column, top + row, min (TILE, width - column), min (TILE, height - row)};

  local Lanes sums[TILE * TILE * VECTORS];
  local Lanes window[BATCH * SPAN * VECTORS];
  for (int i = 0; i < TILE * TILE * VECTORS; i++)
    sums[i] = 0;
  for (int first = 0; first < ray_count; first += BATCH) {
    const int count = min (BATCH, ray_count - first);
    int begin[BATCH];
    for (int k = 0; k < count; k++) {
      const Ray ray = rays[first + k];
      local Lanes *of_ray = window + k * SPAN * VECTORS;
      begin[k] = first_bin (ray, tile.x, tile.y, TILE);
      copy_bins (bins + (size_t)(first + k) * size * LANES, size, begin[k], ray.weight, of_ray);
      interpolate_points (of_ray);
    }
    for (int y = 0; y < tile.height; y += CELL)
      for (int x = 0; x < tile.width; x += CELL)
        if (area_is_wanted (tile.x + x, tile.y + y, CELL, CELL, size))
          add_cell (rays + first, count, begin, window, tile, x, y, sums);
  }

  local const float *values = (local const float *)sums;
  for (int lane = 0; lane < min (LANES, slices); lane++)
    for (int y = 0; y < tile.height; y++)
      for (int x = 0; x < tile.width; x++)
        out[((size_t)lane * height + row + y) * width + column + x] =
            is_wanted (tile.x + x, tile.y + y, size) ? values[(y * TILE + x) * LANES + lane] : 0;
}
