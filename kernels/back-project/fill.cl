// SPDX-License-Identifier: LGPL-3.0-or-later
// Copies the points of a ray into a row of local.cl's cache, with algorithm 6, 7 or 9. Points are bins or, with
// OVERSAMPLE, four per bin.

#ifdef IMAGE
#define SOURCE read_only image2d_t
#else
#define SOURCE global const Bin *
#endif

#ifdef OVERSAMPLE
#define PER_BIN 4
#else
#define PER_BIN 1
#endif

#if LANES == 1
typedef float Lanes;
#define CHANNELS x
#define LOAD_HALF_LANES vload_half
#elif LANES == 2
typedef float2 Lanes;
#define CHANNELS xy
#define LOAD_HALF_LANES vloada_half2
#else
typedef float4 Lanes;
#define CHANNELS xyzw
#define LOAD_HALF_LANES vloada_half4
#endif

// Values of all slices at a point: as one vector, by arrays of the cache, or one by one.
typedef union {
  Lanes all;
  Part part[ARRAYS];
  float lane[LANES];
} Values;

Lanes load_lanes (global const Bin *bins, size_t i)
{
#ifdef HALF
  return LOAD_HALF_LANES (i, bins);
#else
  return ((global const Lanes *)bins)[i];
#endif
}

// Values outside the detector are 0.
Lanes bin_at (SOURCE bins, int k, int bin, int size)
{
#ifdef IMAGE
  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  return read_imagef (bins, exact, (int2)(bin, k)).CHANNELS;
#else
  return bin >= 0 && bin < size ? load_lanes (bins, (size_t)k * size + bin) : (Lanes)(0);
#endif
}

// Weights of a texture engine have 8 bits: exact for quarters.
Lanes point_at (SOURCE bins, int k, int first, int point, int size)
{
#ifndef OVERSAMPLE
  return bin_at (bins, k, first + point, size);
#elif defined IMAGE
  const sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
  return read_imagef (bins, between, (float2)(first + 0.5f + 0.25f * point, k + 0.5f)).CHANNELS;
#else
  const Lanes left = bin_at (bins, k, first + point / 4, size), right = bin_at (bins, k, first + point / 4 + 1, size);
  return left + 0.25f * (point % 4) * (right - left);
#endif
}

// Number of points that a work-item copies per step, and number of steps; the last points may be beyond the row's end.
#ifdef WRITE64
#define RUN 2
#else
#define RUN 1
#endif
#define TIMES ((POINTS + FILLERS * RUN - 1) / (FILLERS * RUN))

bool in_row (int point)
{
  return POINTS % (FILLERS * RUN) == 0 || point < POINTS;
}

// Copies the points of a ray into `row` of all arrays.
#if defined ADVANCED
// A work-item copies contiguous points. It reads one more bin for the difference of its last point: this costs less
// than waiting for the neighbour that has it.
void fill_row (local Stored *row, SOURCE bins, int k, int first, int size, float weight, int filler)
{
  Values next = {point_at (bins, k, first, filler * TIMES, size)};
#pragma unroll
  for (int i = 0; i < TIMES; i++) {
    const int point = filler * TIMES + i;
    const Values value = next;
    next.all = point_at (bins, k, first, point + 1, size);
    for (int a = 0; a < ARRAYS && in_row (point); a++)
      store_cell (row + a * ARRAY + point, weight * (Cell)(value.part[a], next.part[a] - value.part[a]));
  }
}
#elif defined WRITE64
void fill_row (local Stored *row, SOURCE bins, int k, int first, int size, float weight, int filler)
{
#pragma unroll
  for (int i = 0; i < TIMES; i++) {
    const int point = (i * FILLERS + filler) * RUN;
    const Values left = {point_at (bins, k, first, point, size)}, right = {point_at (bins, k, first, point + 1, size)};
    for (int a = 0; a < ARRAYS && in_row (point); a++)
      store_pair (row + a * ARRAY + point, weight * (CellPair)(left.part[a], right.part[a]));
  }
}
#else
void fill_row (local Stored *row, SOURCE bins, int k, int first, int size, float weight, int filler)
{
#pragma unroll
  for (int i = 0; i < TIMES; i++) {
    const int point = i * FILLERS + filler;
    const Values value = {point_at (bins, k, first, point, size)};
    for (int a = 0; a < ARRAYS && in_row (point); a++)
      store_cell (row + a * ARRAY + point, weight * value.part[a]);
  }
}
#endif
