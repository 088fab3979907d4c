// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection with two engines at once: some work-groups interpolate in the texture engine (texture.cl), the others
// by arithmetic from local memory (local.cl). Both kinds share a multiprocessor, so neither engine waits for the other.
// Chilingaryan et al. 2019, section 7.1.
//
//   -DTEXTURE_SHARE=n -DLOCAL_SHARE=m   of n + m groups, n take the texture path
//   -DBY_SM=c          NVIDIA: each multiprocessor counts its groups, so that it gets both kinds at that ratio. The
//                      kernel has one more argument, `global uint *begun`, c counters of any value; c is at least the
//                      number of multiprocessors. Without it, the place of a group decides, and each multiprocessor
//                      gets both kinds at about that ratio
//   all options of local.cl, except OVERSAMPLE. The bins are an image
//   -DZORDER, -DBATCH, -DINTERLEAVE of texture.cl. Groups on the texture path have the work-items and areas of
//                      local.cl, and process one projection at a time, so work-items exchange no sums
//
// A group computes its whole area on one path. With BY_SM the path of an area changes from run to run, and so do
// results, within the precision of the texture engine (8 bits of weights on NVIDIA).
//
// Work-groups and areas are those of local.cl. Bytes of local memory: the larger of both paths, plus 4 with BY_SM.
// Registers: the larger of both, so 4 lanes gain nothing.
#define HYBRID 1
#define IMAGE 1
#include "local.cl"

#define SIDE AREA
#define ITEMS GROUP
#define PROJECTIONS 1
#include "texture.cl"

typedef union {
  Cache cache;
  TextureMemory texture;
} HybridMemory;

// TEXTURE_SHARE of SHARES consecutive turns use the texture path, evenly distributed.
#define SHARES (TEXTURE_SHARE + LOCAL_SHARE)
bool is_texture (uint turn)
{
  return turn % SHARES * TEXTURE_SHARE % SHARES < TEXTURE_SHARE;
}

#ifdef BY_SM
#ifndef __NV_CL_C_VERSION
#error "BY_SM is for NVIDIA" // some compilers crash at the assembler below
#endif

// Number of groups that this multiprocessor has begun before.
uint turn_of_group (global uint *begun, int item, local uint *turn)
{
  if (item == 0) {
    uint sm;
    __asm__ volatile ("mov.u32 %0, %%smid;" : "=r"(sm));
    *turn = atomic_inc (begun + sm % BY_SM);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  return *turn;
}
#else
// Groups are assigned to multiprocessors in a regular order, which must not give one of them only one kind: therefore
// turns are scattered by a hash. It depends on the position in the full slice only, not on launches or regions of whole
// areas.
uint turn_of_group (int x, int y)
{
  uint turn = (uint)y << 16 ^ (uint)x;
  turn = (turn ^ turn >> 16) * 0x85ebca6b;
  turn = (turn ^ turn >> 13) * 0xc2b2ae35;
  return turn ^ turn >> 16;
}
#endif

kernel __attribute__ ((reqd_work_group_size (16, GROUP / 16, 1)))
void back_project (read_only image2d_t bins, RAYS const Ray *rays, int ray_count, int size, int left, int top,
                   int width, int height, int slices, global float *out
#ifdef BY_SM
                   , global uint *begun
#endif
)
{
  local HybridMemory memory;
  const int item = get_local_id (1) * 16 + get_local_id (0);
  const int column = (get_global_id (0) - get_local_id (0)) / 16 * AREA;
  const int row = (get_global_id (1) - get_local_id (1)) / (GROUP / 16) * AREA;
#ifdef BY_SM
  local uint memory_of_turn;
  const uint turn = turn_of_group (begun, item, &memory_of_turn);
#else
  const uint turn = turn_of_group (left + column, top + row);
#endif
  if (is_texture (turn))
    texture_area (bins, rays, ray_count, size, left, top, width, height, slices, out, column, row, item,
                  &memory.texture);
  else
    local_area (bins, rays, ray_count, size, left, top, width, height, slices, out, column, row, item, &memory.cache);
}
