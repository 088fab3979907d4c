// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection through a cache in local memory, interpolated by arithmetic: S. Chilingaryan et al., "Reviewing GPU
// architectures to build efficient back projection for parallel geometries", 2019, section 6.
//
// A work-group makes a square of pixels. A square of side n is never seen by more than n sqrt (2) bins of a ray, so for
// a few rays at a time (a pass) the work-items copy 3/2 n bins of each into local memory, then they sum the pixels from
// there (algorithm 6).
//
//   -DPIXELS=4|8|16  pixels per work-item. 4: a square of 32 by 256 work-items; 8: 32 by 128; 16: 64 by 256
//   -DCACHED=4|8|16  rays per pass: more need more local memory, but fewer barriers
//   -DFILLERS=8..64  work-items that copy the same ray: those beyond CACHED * FILLERS wait meanwhile. Default: 16,
//                    or 32 for a square of 64
//   -DUNROLL=n       rays of a pass that are summed side by side: hides latency, needs registers. By default compilers
//                    choose
//   -DARRAYS=1|2|4   arrays that the lanes are split into, at most LANES: for banks that are slow with wide reads
//                    (algorithm 8)
//   -DWRITE64        copy two neighbours by one write (algorithm 7); not with ADVANCED
//   -DADVANCED       keep (value, difference to the next): a single wider read and a subtraction less for twice the
//                    memory (algorithm 9); linear only
//   -DHALF_CACHE     keep halves: half the memory and its traffic, but conversions (section 6.7)
//   -DHOLD=0|1|2     data that is kept of each ray. 0: nothing (all work-items find again where its bins begin); 1: its
//                    position at the corner of the square; 2: its position at each column, which saves a
//                    multiplication (section 6.8). Default: 1
//   -DHOLD_STEPS     keep the steps of the rays as well, else they are read with the ray (section 6.8)
//   -DAHEAD=n        find where the bins begin for n rays at once, a multiple of CACHED, for a barrier more; else all
//                    FILLERS of a ray do so (section 6.8)
//   -DROUND=0|1|2    how positions become indices. 0: by conversion; 1: by adding 2^23; 2: like 1, and addresses are
//                    computed by float arithmetic, too (section 6.6). Exact unless the compiler may reorder float
//                    arithmetic
//   -DOVERSAMPLE     the nearest of four points per bin, interpolated when copying: four times the memory (section 7.2)
//   -DIMAGE          bins are in an image, read by units that are idle otherwise, else in a buffer
//   -DCONSTANT       rays are in constant memory, else in global memory
//
// Groups have 16 x GROUP / 16 work-items. Bytes of local memory:
//
//   cells            LANES * CACHED * POINTS * (HALF_CACHE ? 2 : 4) * (ADVANCED ? 2 : 1)
//   rays             (AHEAD ? AHEAD : CACHED) * ((HOLD_STEPS ? 16 : HOLD == 1 || AHEAD ? 4 : 0) + (AHEAD ? 4 : 0))
//   columns          HOLD == 2 ? CACHED * AREA * 4 : 0
#include "rays.cl"

#define AREA (PIXELS == 16 ? 64 : 32)
#define GROUP (AREA * AREA / PIXELS)

#ifndef ARRAYS
#define ARRAYS 1
#endif
#ifndef FILLERS
#define FILLERS (AREA / 2)
#endif
#ifndef HOLD
#define HOLD 1
#endif
#ifndef ROUND
#define ROUND 0
#endif

// Cells in a row of the cache, and in an array.
#define POINTS (AREA * 3 / 2 * PER_BIN)
#define ARRAY (CACHED * POINTS)

#ifdef AHEAD
#define HELD AHEAD
#else
#define HELD CACHED
#endif

// Work-items compute SPAN x DOWN pixels at a time, from left to right, then below. A narrow span gives each work-item
// few different columns, which HOLD=2 needs.
#if HOLD == 2
#define SPAN 16
#else
#define SPAN AREA
#endif
#define COLUMNS (AREA / SPAN)
#define DOWN (GROUP / SPAN)

// Weighted values may be too small for halves: these are weighted when they are added. Others are weighted when copied,
// which is cheaper.
#ifdef HALF_CACHE
#define WEIGHT_OF_COPY(weight) 1.0f
#define WEIGHT_OF_SUM(weight) (weight)
#else
#define WEIGHT_OF_COPY(weight) (weight)
#define WEIGHT_OF_SUM(weight) 1.0f
#endif

#ifdef CONSTANT
#define RAYS constant
#else
#define RAYS global
#endif

#include "cells.cl"
#include "fill.cl"

// Corner of the square in the full slice, and index of the work-item in the group.
typedef struct {
  int x, y;
  uint item;
} Square;

// A ray relative to the square: position of the corner, in points from the first one in the cache, and steps to the
// next pixels.
typedef struct {
  float start, across, down, weight;
} Line;

typedef struct {
  Stored cells[ARRAYS][CACHED][POINTS];
#ifdef HOLD_STEPS
  Line lines[HELD];
#elif HOLD == 1 || defined AHEAD
  float starts[HELD];
#endif
#if HOLD == 2
  float columns[CACHED][SPAN][COLUMNS];
#endif
#ifdef AHEAD
  int first[AHEAD];
#endif
} __attribute__ ((aligned (16))) Cache;

// In the last pass, rays beyond the last one are copies of it with weight 0.
Ray ray_at (RAYS const Ray *rays, int ray_count, int k)
{
  Ray ray = rays[min (k, ray_count - 1)];
  if (k >= ray_count)
    ray.weight = 0;
  return ray;
}

// The lowest bin that the square needs, minus 1: this keeps rounded positions inside the cache and above 1, which
// cell_at () needs.
int first_bin (Ray ray, Square square)
{
  const long lowest = seen_at (ray, square.x, square.y) + (AREA - 1) * (min (ray.x, 0L) + min (ray.y, 0L));
  return whole_bins (lowest) - 1;
}

Line line_of (Ray ray, Square square, int first)
{
  const long corner = seen_at (ray, square.x, square.y);
  Line line;
  line.start = PER_BIN * ((float)(whole_bins (corner) - first) + part_of_bin (corner));
#ifdef OVERSAMPLE
  line.start += 0.5f; // rounding down then gives the nearest point
#endif
  line.across = PER_BIN * ray.across;
  line.down = PER_BIN * ray.down;
  line.weight = ray.weight;
  return line;
}

uint slot_of (int k)
{
  return (uint)k % HELD;
}

// Stores what HOLD and HOLD_STEPS require.
void hold (local Cache *cache, int k, Line line)
{
#ifdef HOLD_STEPS
  cache->lines[slot_of (k)] = line;
#elif HOLD == 1 || defined AHEAD
  cache->starts[slot_of (k)] = line.start;
#endif
}

Line held (local const Cache *cache, RAYS const Ray *rays, int ray_count, int k, Square square)
{
#ifdef HOLD_STEPS
  return cache->lines[slot_of (k)];
#else
  const Ray ray = ray_at (rays, ray_count, k);
#if HOLD == 1 || defined AHEAD
  const Line line = {cache->starts[slot_of (k)], PER_BIN * ray.across, PER_BIN * ray.down, ray.weight};
  return line;
#else
  return line_of (ray, square, first_bin (ray, square));
#endif
#endif
}

#ifdef AHEAD
// Finds the first bins of rays, beginning with ray `begin`, with one work-item per ray.
void look_ahead (local Cache *cache, RAYS const Ray *rays, int ray_count, int begin, Square square)
{
  for (int k = begin + square.item; k < begin + AHEAD; k += GROUP) {
    const Ray ray = ray_at (rays, ray_count, k);
    const int first = first_bin (ray, square);
    cache->first[slot_of (k)] = first;
    hold (cache, k, line_of (ray, square, first));
  }
}
#endif

// Fills the cache with rays, beginning with ray `begin`, with FILLERS work-items per ray.
void fill (local Cache *cache, SOURCE bins, RAYS const Ray *rays, int ray_count, int size, int begin, Square square)
{
  const int filler = square.item % FILLERS;
  for (int row = square.item / FILLERS; row < CACHED; row += GROUP / FILLERS) {
    const int k = begin + row;
#ifdef AHEAD
    const int first = cache->first[slot_of (k)];
    const Line line = held (cache, rays, ray_count, k, square);
#else
    const Ray ray = ray_at (rays, ray_count, k);
    const int first = first_bin (ray, square);
    const Line line = line_of (ray, square, first);
    if (filler == 0)
      hold (cache, k, line);
#endif
#if HOLD == 2
    for (uint column = filler; column < AREA; column += FILLERS)
      cache->columns[row][column % SPAN][column / SPAN] = line.start + column * line.across;
#endif
    fill_row (cache->cells[0][row], bins, min (k, ray_count - 1), first, size, WEIGHT_OF_COPY (line.weight), filler);
  }
}

// Returns the cell of a position. `beyond`: distance of the position from the cell's point. Floats of 2^23 and more are
// integers, and their lowest bits are the index. On a border either cell may result; both are correct.
local const Stored *cell_at (local const Stored *cells, float at, float *beyond)
{
#if ROUND == 0
  const int index = at;
  *beyond = at - index;
  return cells + index;
#else
  const float rounded = at + (0x1p23f - 0.5f);
  *beyond = at - (rounded - 0x1p23f);
#if ROUND == 1
  return cells + (as_int (rounded) - 0x4b000000);
#else
  const float bytes = sizeof (Stored), address = bytes * rounded - (bytes - 1) * 0x1p23f;
  return (local const Stored *)((local const char *)cells + (as_int (address) - 0x4b000000));
#endif
#endif
}

void add_cached (Values *sum, local const Stored *cells, float at, float weight)
{
  float beyond;
  local const Stored *cell = cell_at (cells, at, &beyond);
  for (int a = 0; a < ARRAYS; a++, cell += ARRAY) {
    const Cell here = load_cell (cell);
#ifdef ADVANCED
    const Part value = here.lo + beyond * here.hi;
#elif defined NEAREST || defined OVERSAMPLE
    const Part value = here;
#else
    const Part value = here + beyond * (load_cell (cell + 1) - here);
#endif
    sum->part[a] += weight * value;
  }
}

// The first pixel of a work-item. Sixteen neighbours cover 4 x 4 pixels in Z-order, so that their reads are close
// together.
int first_column (uint item)
{
  return item / 16 % (SPAN / 4) * 4 + (item & 1) + (item >> 1 & 2);
}

int first_row (uint item)
{
  return item / 16 / (SPAN / 4) * 4 + (item >> 1 & 1) + (item >> 2 & 2);
}

// Adds the rays of a pass to the pixels of a work-item.
void sum_pass (Values *sum, local const Cache *cache, RAYS const Ray *rays, int ray_count, int begin, Square square)
{
  const int column = first_column (square.item), down = first_row (square.item);
#ifdef UNROLL
#pragma unroll UNROLL
#endif
  for (int row = 0; row < CACHED; row++) {
    const Line line = held (cache, rays, ray_count, begin + row, square);
    float at[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i++)
#if HOLD == 2
      at[i] = cache->columns[row][column][i] + down * line.down;
#else
      at[i] = line.start + column * line.across + down * line.down;
#endif
#pragma unroll
    for (int q = 0; q < PIXELS; q++)
      add_cached (sum + q, cache->cells[0][row], at[q % COLUMNS] + q / COLUMNS * DOWN * line.down,
                  WEIGHT_OF_SUM (line.weight));
  }
}

void write_out (const Values *sum, int size, int left, int top, int width, int height, int slices, global float *out,
                int column, int row)
{
  if (column >= width || row >= height)
    return;
  const bool inside = is_wanted (left + column, top + row, size);
  for (int lane = 0; lane < LANES; lane++)
    if (lane < slices)
      out[((size_t)lane * height + row) * width + column] = inside ? sum->lane[lane] : 0;
}

// Computes the square that begins at `column` and `row` of the region. `item`: index of the work-item in the group.
void local_area (SOURCE bins, RAYS const Ray *rays, int ray_count, int size, int left, int top, int width, int height,
                 int slices, global float *out, int column, int row, uint item, local Cache *cache)
{
  Values sum[PIXELS];
#pragma unroll
  for (int q = 0; q < PIXELS; q++)
    sum[q].all = 0;

  const Square square = {left + column, top + row, item};
  if (!area_is_wanted (square.x, square.y, AREA, AREA, size))
    ray_count = 0;
  for (int begin = 0; begin < ray_count; begin += CACHED) {
#ifdef AHEAD
    if (begin % AHEAD == 0) {
      look_ahead (cache, rays, ray_count, begin, square);
      barrier (CLK_LOCAL_MEM_FENCE);
    }
#endif
    fill (cache, bins, rays, ray_count, size, begin, square);
    barrier (CLK_LOCAL_MEM_FENCE);
    sum_pass (sum, cache, rays, ray_count, begin, square);
    barrier (CLK_LOCAL_MEM_FENCE);
  }

#pragma unroll
  for (int q = 0; q < PIXELS; q++)
    write_out (sum + q, size, left, top, width, height, slices, out, column + first_column (item) + q % COLUMNS * SPAN,
               row + first_row (item) + q / COLUMNS * DOWN);
}

#ifndef HYBRID
kernel __attribute__ ((reqd_work_group_size (16, GROUP / 16, 1)))
void back_project (SOURCE bins, RAYS const Ray *rays, int ray_count, int size, int left, int top, int width, int height,
                   int slices, global float *out)
{
  local Cache cache;
  local_area (bins, rays, ray_count, size, left, top, width, height, slices, out, get_global_id (0) / 16 * AREA,
              get_global_id (1) / (GROUP / 16) * AREA, get_local_id (1) * 16 + get_local_id (0), &cache);
}
#endif
