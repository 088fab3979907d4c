// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection with the texture engine, which finds bins, interpolates and caches; work-items only add. Chilingaryan
// et al. 2019, section 5. The defaults are algorithm 3; PROJECTIONS=1 without ZORDER is algorithm 1.
//
//   -DLANES=1|2|4        channels of the image: R, RG or RGBA. Two floats or four halves are the widest texel at full
//                        rate
//   -DHALF               the image holds half; nothing else changes
//   -DSIDE=16|32|64      a group makes SIDE x SIDE pixels
//   -DITEMS=128|256      work-items of a group, in any shape
//   -DPROJECTIONS=1|2|4  projections that a group processes at once, each by a part of its work-items; their sums are
//                        added at the end
//   -DZORDER             a warp sees squares of 4 x 4 pixels (algorithm 2), else rows of SIDE: its fetches are closer
//   -DBATCH=n            n rays at a time are placed by one work-item each and kept in local memory (algorithm 5), for
//                        two barriers. 0: every work-item places the rays that it sees, by 64-bit integers
//   -DCONSTANT           rays are in constant memory, 40 bytes each, else in global memory. With BATCH slow on NVIDIA
//   -DINTERLEAVE=n       rays per turn of the loop, so that their fetches are under way together
//   -DSHUFFLE=0|1|2      the sums of the projections are added in local memory (0) or by shuffles (algorithm 4) of
//                        sub-groups (1, needs cl_khr_subgroup_shuffle) or of NVIDIA's warps (2)
//
// A work-item computes PROJECTIONS * SIDE * SIDE / ITEMS pixels. It places a ray once for all of them, and its fetches
// for them overlap, but it needs LANES registers for each. A group computes ITEMS / PROJECTIONS / SIDE rows at a time:
// an integer, with ZORDER a multiple of 4. Bytes of local memory: the larger of 20 * BATCH and, with PROJECTIONS > 1, 4
// * LANES * ITEMS.
#include "rays.cl"

#ifndef SIDE
#define SIDE 16
#endif
#ifndef ITEMS
#define ITEMS 256
#endif
#ifndef PROJECTIONS
#define PROJECTIONS 4
#endif
#ifndef BATCH
#define BATCH 0
#endif
#ifndef INTERLEAVE
#define INTERLEAVE 4
#endif
#ifndef SHUFFLE
#define SHUFFLE 0
#endif

#define STRIP (ITEMS / PROJECTIONS) // pixels that the group computes at a time, in whole rows
#define STRIP_ROWS (STRIP / SIDE)
#define STRIPS (SIDE / STRIP_ROWS)

#ifdef CONSTANT
#define RAYS constant
#else
#define RAYS global
#endif

#if LANES == 1
typedef float Texel;
#define CHANNELS x
#elif LANES == 2
typedef float2 Texel;
#define CHANNELS xy
#else
typedef float4 Texel;
#define CHANNELS xyzw
#endif

#ifdef NEAREST
constant sampler_t interpolate = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant float centre_of_bin = 0; // positions count from the left border of a bin
#else
constant sampler_t interpolate = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant float centre_of_bin = 0.5f;
#endif

// A ray relative to an area: its first pixel is at `bin` + `part` in the row of the image. Only the sum with a pixel's
// own small step is rounded to the precision of large bin numbers, once.
typedef struct {
  float bin, part, across, down, weight;
} NearRay;

typedef union {
  NearRay rays[BATCH > 0 ? BATCH : 1];
  Texel sums[PROJECTIONS > 1 ? ITEMS : 1];
} TextureMemory;

// Share of a work-item: its pixel in the first strip, and its projection among those computed at once.
typedef struct {
  int x, y, projection;
} Share;

NearRay place_ray (Ray ray, int x, int y)
{
  const long u = seen_at (ray, x, y);
  const NearRay here = {whole_bins (u) + centre_of_bin, part_of_bin (u), ray.across, ray.down, ray.weight};
  return here;
}

// Algorithm 2. All work-items of a warp use the same projection, so they load the same ray.
Share share_of (int item)
{
  const int pixel = item % STRIP;
#ifdef ZORDER
  const int square = pixel / 16;
  const int x = square * 4 % SIDE + (pixel >> 1 & 2) + (pixel & 1);
  const int y = square * 4 / SIDE * 4 + (pixel >> 2 & 2) + (pixel >> 1 & 1);
#else
  const int x = pixel % SIDE, y = pixel / SIDE;
#endif
  const Share share = {x, y, item / STRIP};
  return share;
}

void place_rays (local NearRay *placed, RAYS const Ray *rays, int count, int item, int x, int y)
{
  barrier (CLK_LOCAL_MEM_FENCE); // until the previous rays are no longer needed
  for (int i = item; i < count; i += ITEMS)
    placed[i] = place_ray (rays[i], x, y);
  barrier (CLK_LOCAL_MEM_FENCE);
}

// Adds one ray to the pixels of a work-item, which are one below the other. `begin`: number of the first placed ray.
void add_ray (Texel *sum, read_only image2d_t bins, RAYS const Ray *rays, int k, local const TextureMemory *memory,
              int begin, int x, int y, Share mine)
{
  const NearRay ray = BATCH > 0 ? memory->rays[k - begin] : place_ray (rays[k], x, y);
  const float first = ray.part + mine.x * ray.across + mine.y * ray.down;
#pragma unroll
  for (int i = 0; i < STRIPS; i++) {
    const float bin = ray.bin + (first + i * STRIP_ROWS * ray.down);
    sum[i] += ray.weight * read_imagef (bins, interpolate, (float2)(bin, k + 0.5f)).CHANNELS;
  }
}

#if SHUFFLE == 1
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable

int place_in_warps (int item)
{
  return get_sub_group_id () * get_max_sub_group_size () + get_sub_group_local_id ();
}

float of_neighbour (float value, int distance)
{
  return sub_group_shuffle_xor (value, (uint)distance);
}
#elif SHUFFLE == 2
int place_in_warps (int item)
{
  return item;
}

float of_neighbour (float value, int distance)
{
  float other;
  __asm__ volatile ("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(other) : "f"(value), "r"(distance));
  return other;
}
#endif

// Adds the group's partial sums of a pixel over projections. Returns the pixel's index in the strip, or -1.
#if SHUFFLE
int complete (Texel *sum, local Texel *sums, int item, Share mine)
{
  sums[(mine.y * SIDE + mine.x) * PROJECTIONS + mine.projection] = *sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  const int place = place_in_warps (item);
  *sum = sums[place];
  float *lanes = (float *)sum;
#pragma unroll
  for (int lane = 0; lane < LANES; lane++)
#pragma unroll
    for (int distance = PROJECTIONS / 2; distance > 0; distance /= 2)
      lanes[lane] += of_neighbour (lanes[lane], distance);
  return place % PROJECTIONS == 0 ? place / PROJECTIONS : -1;
}
#else
int complete (Texel *sum, local Texel *sums, int item, Share mine)
{
  sums[mine.projection * STRIP + mine.y * SIDE + mine.x] = *sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item >= STRIP)
    return -1;
  *sum = sums[item];
  for (int other = 1; other < PROJECTIONS; other++)
    *sum += sums[other * STRIP + item];
  return item;
}
#endif

// Output: slices of width x height pixels from (left, top) of the full slice.
typedef struct {
  int size, left, top, width, height, slices;
  global float *out;
} Region;

void write_pixel (Region to, Texel sum, int column, int row)
{
  if (column >= to.width || row >= to.height)
    return;
  if (!is_wanted (to.left + column, to.top + row, to.size))
    sum = 0;
  const float *lanes = (const float *)&sum;
#pragma unroll
  for (int lane = 0; lane < LANES; lane++)
    if (lane < to.slices)
      to.out[((size_t)lane * to.height + row) * to.width + column] = lanes[lane];
}

// Computes the area that begins at (column, row) of the region. `item`: index of the work-item in the group.
void texture_area (read_only image2d_t bins, RAYS const Ray *rays, int ray_count, int size, int left, int top,
                   int width, int height, int slices, global float *out, int column, int row, int item,
                   local TextureMemory *memory)
{
  const Share mine = share_of (item);
  const int x = left + column, y = top + row;
  Texel sum[STRIPS];
#pragma unroll
  for (int i = 0; i < STRIPS; i++)
    sum[i] = 0;

  if (!area_is_wanted (x, y, SIDE, SIDE, size))
    ray_count = 0;
  const int batch = BATCH > 0 ? BATCH : ray_count;
  for (int begin = 0; begin < ray_count; begin += batch) {
    const int end = min (begin + batch, ray_count);
    if (BATCH > 0)
      place_rays (memory->rays, rays + begin, end - begin, item, x, y);
    int k = begin + mine.projection;
    for (; k + (INTERLEAVE - 1) * PROJECTIONS < end; k += INTERLEAVE * PROJECTIONS)
#pragma unroll
      for (int i = 0; i < INTERLEAVE; i++)
        add_ray (sum, bins, rays, k + i * PROJECTIONS, memory, begin, x, y, mine);
    for (; k < end; k += PROJECTIONS)
      add_ray (sum, bins, rays, k, memory, begin, x, y, mine);
  }

  const Region to = {size, left, top, width, height, slices, out};
#pragma unroll
  for (int i = 0; i < STRIPS; i++) {
    int pixel = mine.y * SIDE + mine.x;
    if (PROJECTIONS > 1) {
      barrier (CLK_LOCAL_MEM_FENCE); // until rays and previous sums are no longer needed
      pixel = complete (&sum[i], memory->sums, item, mine);
    }
    if (pixel >= 0)
      write_pixel (to, sum[i], column + pixel % SIDE, row + i * STRIP_ROWS + pixel / SIDE);
  }
}

#ifndef HYBRID
kernel void back_project (read_only image2d_t bins, RAYS const Ray *rays, int ray_count, int size, int left, int top,
                          int width, int height, int slices, global float *out)
{
  local TextureMemory memory;
  const int item = get_local_id (1) * get_local_size (0) + get_local_id (0);
  // In this form compilers recognise a value common to all work-items, and place rays in scalar units if there are any.
  const int column = (get_global_id (0) - get_local_id (0)) / get_local_size (0) * SIDE;
  const int row = (get_global_id (1) - get_local_id (1)) / get_local_size (1) * SIDE;
  texture_area (bins, rays, ray_count, size, left, top, width, height, slices, out, column, row, item, &memory);
}
#endif
