// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection through a cache in local memory, without a texture engine's interpolation: S. Chilingaryan et al.,
// "Reviewing GPU architectures to build efficient back projection for parallel geometries", 2019, section 6.
//
// A work-group makes a square of pixels. A square of side n is never seen by more than n sqrt (2) bins of a ray, so for some
// rays at a time (a pass) the work-items copy 3/2 n bins into local memory, then each of them sums from there the pixels that
// are its own (algorithm 6).
//
//   -DPIXELS=4|8|16    pixels per work-item. 4: square of 32, 256 work-items. 8: 32, 128. 16: 64, 256
//   -DCACHED=4|8|16    rays per pass; more need fewer barriers and more local memory
//   -DFILLERS=8 ... 64 work-items that copy the same ray. CACHED * FILLERS should be the work-group. Else 16, with 16 pixels 32
//   -DUNROLL=n         rays of a pass that the compiler may interleave; more hide latencies but need registers. Else it chooses
//   -DARRAYS=1|2|4     split the lanes into arrays of their own, at most LANES: for banks that do not like wide reads
//                      (algorithm 8)
//   -DWRITE64          copy two neighbours by one write (algorithm 7), not with ADVANCED
//   -DADVANCED         keep (value, difference to the next), one wider read and a subtraction less for twice the memory
//                      (algorithm 9), linear only
//   -DHALF_CACHE       keep halves: half the memory and reads, but conversions (section 6.7)
//   -DHOLD=0|1|2       what is kept per ray: nothing (every work-item works out again where the cache begins), where the
//                      square's corner is seen, or where the first pixel of each column is seen, which saves a
//                      multiplication per ray and work-item (section 6.8). Else 1
//   -DHOLD_STEPS       keep the steps of the rays as well
//   -DAHEAD=n          find where the cache begins for n rays at once, a multiple of CACHED, instead of in every work-item
//                      that copies; one barrier more per n rays
//   -DROUND=0|1|2      positions to indices by conversion, by adding 2^23, or that and offsets in bytes by float arithmetic
//                      as well (section 6.6). Exact, as long as the compiler may not reorder float arithmetic
//   -DOVERSAMPLE       the nearest of four points per bin, interpolated when they are copied (section 7.2)
//   -DIMAGE            bins come through an image, by units that are idle otherwise, else from a buffer
//   -DCONSTANT         rays are in constant memory, else in global memory
//
// Work-groups are 16 x GROUP / 16, with GROUP = AREA * AREA / PIXELS, and make AREA x AREA pixels. Bytes of local memory:
//   cells              LANES * CACHED * POINTS * (HALF_CACHE ? 2 : 4) * (ADVANCED ? 2 : 1), POINTS = 3/2 AREA, * 4 if OVERSAMPLE
//   per ray            HOLD_STEPS ? 16 : HOLD == 1 || AHEAD ? 4 : 0, and 4 more with AHEAD; for AHEAD rays, else for CACHED
//   columns            HOLD == 2 ? 4 * CACHED * AREA : 0
#include "rays.cl"

#ifndef ARRAYS
#define ARRAYS 1
#endif
#include "cells.cl"

#define AREA (PIXELS == 16 ? 64 : 32)
#define GROUP (AREA * AREA / PIXELS)

#ifndef FILLERS
#define FILLERS (AREA / 2)
#endif
#ifndef HOLD
#define HOLD 1
#endif
#ifndef ROUND
#define ROUND 0
#endif

// Points are what the cache holds per ray.
#ifdef OVERSAMPLE
#define PER_BIN 4
#else
#define PER_BIN 1
#endif
#define POINTS (AREA * 3 / 2 * PER_BIN)

#ifdef AHEAD
#define HELD AHEAD
#else
#define HELD CACHED
#endif

// At a step the work-items make SPAN x GROUP / SPAN pixels, then the next ones on the right, if any, then below. Columns are
// kept for few distances to the right, so that a work-item has few.
#if HOLD == 2
#define SPAN 16
#else
#define SPAN AREA
#endif
#define COLUMNS (AREA / SPAN)
#define DOWN (GROUP / SPAN)

// Halves are weighted when they are summed: the product may be too small for them. Else it is cheaper when copying.
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

#ifdef IMAGE
#define SOURCE read_only image2d_t
#else
#define SOURCE global const Bin *
#endif

// How a square sees a ray: the corner at `start`, in points from the first in the cache, and the steps to the next pixels.
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

// The bin where the cache begins: the corner of the square where the ray's bins are the lowest sees it. A bin more keeps
// rounded positions inside, and above 1 as round_down () needs them.
int first_bin (Ray ray, int x, int y)
{
  const long lowest = seen_at (ray, x, y) + (AREA - 1) * (min (ray.x, 0L) + min (ray.y, 0L));
  return whole_bins (lowest) - 1;
}

// Rays past the last, in the last pass, are the last with no weight.
Line line_of (Ray ray, bool there, int x, int y, int first)
{
  const long corner = seen_at (ray, x, y);
  Line line;
  line.start = PER_BIN * ((float)(whole_bins (corner) - first) + part_of_bin (corner));
#ifdef OVERSAMPLE
  line.start += 0.5f;
#endif
  line.across = PER_BIN * ray.across;
  line.down = PER_BIN * ray.down;
  line.weight = there ? ray.weight : 0;
  return line;
}

// Where what is held of a ray lies.
uint slot_of (int k)
{
  return (uint)k % HELD;
}

// Keeps what HOLD and HOLD_STEPS ask for.
void hold (local Cache *cache, int k, Line line)
{
#ifdef HOLD_STEPS
  cache->lines[slot_of (k)] = line;
#elif HOLD == 1 || defined AHEAD
  cache->starts[slot_of (k)] = line.start;
#endif
}

Line held (local const Cache *cache, RAYS const Ray *rays, int ray_count, int k, int x, int y)
{
#ifdef HOLD_STEPS
  return cache->lines[slot_of (k)];
#else
  const Ray ray = rays[min (k, ray_count - 1)];
#if HOLD == 1 || defined AHEAD
  const float start = cache->starts[slot_of (k)];
  const Line line = {start, PER_BIN * ray.across, PER_BIN * ray.down, k < ray_count ? ray.weight : 0};
  return line;
#else
  return line_of (ray, k < ray_count, x, y, first_bin (ray, x, y));
#endif
#endif
}

Lanes bin_at (SOURCE bins, int k, int bin, int size)
{
#ifdef IMAGE
  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  return read_imagef (bins, exact, (int2)(bin, k)).CHANNELS;
#else
  return bin >= 0 && bin < size ? load_lanes (bins, (size_t)k * size + bin) : (Lanes)(0);
#endif
}

// Quarters are exact in the 8 bits that the weights of a texture engine have.
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

// Copies the points of a ray. With ADVANCED a work-item takes all its points side by side: only the one after its last is
// read twice.
void fill_row (local Cache *cache, int row, SOURCE bins, int k, int first, int size, float weight, int filler)
{
  Values value, next;
#ifdef ADVANCED
  const int share = (POINTS + FILLERS - 1) / FILLERS;
  value.all = point_at (bins, k, first, filler * share, size);
  for (int i = 0; i < share; i++) {
    const int point = filler * share + i;
    next.all = point_at (bins, k, first, point + 1, size);
    if (point < POINTS)
      for (int a = 0; a < ARRAYS; a++)
        store_cell (&cache->cells[a][row][point], weight * (Cell)(value.part[a], next.part[a] - value.part[a]));
    value = next;
  }
#elif defined WRITE64
  for (int point = 2 * filler; point < POINTS; point += 2 * FILLERS) {
    value.all = point_at (bins, k, first, point, size);
    next.all = point_at (bins, k, first, point + 1, size);
    for (int a = 0; a < ARRAYS; a++)
      store_pair (&cache->cells[a][row][point], weight * (CellPair)(value.part[a], next.part[a]));
  }
#else
  for (int point = filler; point < POINTS; point += FILLERS) {
    value.all = point_at (bins, k, first, point, size);
    for (int a = 0; a < ARRAYS; a++)
      store_cell (&cache->cells[a][row][point], weight * value.part[a]);
  }
#endif
}

// Finds where the cache begins for the rays from `begin` on, a work-item for each.
void look_ahead (local Cache *cache, RAYS const Ray *rays, int ray_count, int begin, int x, int y, int item)
{
#ifdef AHEAD
  for (int k = begin + item; k < begin + AHEAD; k += GROUP) {
    const Ray ray = rays[min (k, ray_count - 1)];
    const int first = first_bin (ray, x, y);
    cache->first[slot_of (k)] = first;
    hold (cache, k, line_of (ray, k < ray_count, x, y, first));
  }
#endif
}

// Fills the cache with the rays from `begin` on, FILLERS work-items for each.
void fill (local Cache *cache, SOURCE bins, RAYS const Ray *rays, int ray_count, int size, int begin, int x, int y, int item)
{
  const int filler = item % FILLERS;
  for (int row = item / FILLERS; row < CACHED; row += GROUP / FILLERS) {
    const int k = begin + row, there = min (k, ray_count - 1);
#ifdef AHEAD
    const int first = cache->first[slot_of (k)];
    const Line line = held (cache, rays, ray_count, k, x, y);
#else
    const Ray ray = rays[there];
    const int first = first_bin (ray, x, y);
    const Line line = line_of (ray, k < ray_count, x, y, first);
    if (filler == 0)
      hold (cache, k, line);
#endif
#if HOLD == 2
    for (uint column = filler; column < AREA; column += FILLERS)
      cache->columns[row][column % SPAN][column / SPAN] = line.start + column * line.across;
#endif
    fill_row (cache, row, bins, there, first, size, WEIGHT_OF_COPY (line.weight), filler);
  }
}

// The cell of a position, and how far beyond its point that is.
local const Stored *cell_at (local const Stored *cells, float at, float *beyond)
{
#if ROUND == 0
  const int index = at;
  *beyond = at - index;
  return cells + index;
#else
  // From 2^23 on floats are the integers, and their last bits count them. Right on a border either cell may come out, which is
  // as good.
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
  cells = cell_at (cells, at, &beyond);
  for (int a = 0; a < ARRAYS; a++, cells += CACHED * POINTS) {
    const Cell here = load_cell (cells);
#ifdef ADVANCED
    const Part value = here.lo + beyond * here.hi;
#elif defined NEAREST || defined OVERSAMPLE
    const Part value = here;
#else
    const Part value = here + beyond * (load_cell (cells + 1) - here);
#endif
    sum->part[a] += weight * value;
  }
}

// The pixels of a work-item. Sixteen neighbours make 4 x 4 pixels in Z-order, so that their reads are close.
int first_column (int item)
{
  return item / 16 % (SPAN / 4) * 4 + (item & 1) + (item >> 1 & 2);
}

int first_row (int item)
{
  return item / 16 / (SPAN / 4) * 4 + (item >> 1 & 1) + (item >> 2 & 2);
}

// Sums the rays of a pass into the pixels of a work-item.
void sum_pass (Values *sum, local const Cache *cache, RAYS const Ray *rays, int ray_count, int begin, int x, int y, int item)
{
  const int column = first_column (item), down = first_row (item);
#ifdef UNROLL
#pragma unroll UNROLL
#endif
  for (int row = 0; row < CACHED; row++) {
    const Line line = held (cache, rays, ray_count, begin + row, x, y);
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

// Whether the square has a pixel in the circle: the nearest to the centre is.
bool touches_circle (int x, int y, int size)
{
#ifdef MASK
  return in_circle (clamp (size / 2, x, x + AREA - 1), clamp (size / 2, y, y + AREA - 1), size);
#else
  return true;
#endif
}

void write_out (const Values *sum, int size, int left, int top, int width, int height, int slices, global float *out, int column,
                int row)
{
  if (column >= width || row >= height)
    return;
  bool inside = true;
#ifdef MASK
  inside = in_circle (left + column, top + row, size);
#endif
  for (int lane = 0; lane < LANES; lane++)
    if (lane < slices)
      out[((size_t)lane * height + row) * width + column] = inside ? sum->lane[lane] : 0;
}

// Makes the square whose corner is at `column` and `row` of the region. `item` counts the work-items of the group.
void local_area (SOURCE bins, RAYS const Ray *rays, int ray_count, int size, int left, int top, int width, int height,
                 int slices, global float *out, int column, int row, int item, local Cache *cache)
{
  Values sum[PIXELS];
#pragma unroll
  for (int q = 0; q < PIXELS; q++)
    sum[q].all = 0;

  const int x = left + column, y = top + row;
  if (touches_circle (x, y, size))
    for (int begin = 0; begin < ray_count; begin += CACHED) {
#ifdef AHEAD
      if (begin % AHEAD == 0) {
        look_ahead (cache, rays, ray_count, begin, x, y, item);
        barrier (CLK_LOCAL_MEM_FENCE);
      }
#endif
      fill (cache, bins, rays, ray_count, size, begin, x, y, item);
      barrier (CLK_LOCAL_MEM_FENCE);
      sum_pass (sum, cache, rays, ray_count, begin, x, y, item);
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
  const int item = get_local_id (1) * 16 + get_local_id (0);
  local_area (bins, rays, ray_count, size, left, top, width, height, slices, out, get_global_id (0) / 16 * AREA,
              get_global_id (1) / (GROUP / 16) * AREA, item, &cache);
}
#endif
