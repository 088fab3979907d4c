// SPDX-License-Identifier: LGPL-3.0-or-later
// Common part of all OpenCL kernels of back-projection: bins, rays and positions of pixels. OpenCL C 1.2.
//
//   -DLANES=n        slices side by side in the bins
//   -DHALF           bins are IEEE half, else float
//   -DNEAREST        the nearest bin, else linear interpolation between the centres of bins
//   -DMASK           pixels with the centre outside the inscribed circle of the full slice are 0
//
// Every kernel is called back_project and has the same arguments:
//
//   bins     [ray][size][LANES] in a buffer, or an image of `size` columns and a row per ray, with LANES channels
//   left ... the region of interest in pixels of the full slice, which has size x size
//   out      [slice][height][width] of the first `slices` lanes
//
// A launch may cover some of the work-groups, with an offset in whole groups. Kernels must not use get_group_id (): it
// does not include the offset.
#ifndef RAYS_CL // two kernels may be in one program
#define RAYS_CL

// Positions are integers in units of 2^-FRACTION of a bin. They do not depend on the region or on the division into
// launches, and need no double precision.
#define FRACTION 40

// `origin`: position of the centre of pixel (0, 0) of the full slice, from the centre of bin 0 (from its left border
// with NEAREST). `x`, `y`: steps to the next column and row; `across`, `down`: the same in bins.
typedef struct {
  long origin, x, y;
  float weight, across, down, unused;
} Ray;

#ifdef HALF
typedef half Bin;
#define BIN(bins, i) vload_half (i, bins)
#else
typedef float Bin;
#define BIN(bins, i) (bins)[i]
#endif

// Position of the centre of a pixel.
long seen_at (Ray ray, int x, int y)
{
  return ray.origin + x * ray.x + y * ray.y;
}

// The bin to the left of a position, and the distance of the position from that bin's centre.
int whole_bins (long u)
{
  return (int)(u >> FRACTION); // rounds down
}

float part_of_bin (long u)
{
  return (float)((u >> (FRACTION - 24)) & 0xffffff) * 0x1p-24f; // 24 bits are exact in float
}

// Whether a pixel may differ from 0: with a mask, whether its centre is in the circle. Exact: twice the distances are
// integers.
bool is_wanted (int x, int y, int size)
{
#ifdef MASK
  const long dx = 2 * (long)x + 1 - size, dy = 2 * (long)y + 1 - size;
  return dx * dx + dy * dy <= (long)size * size;
#else
  return true;
#endif
}

// Whether any pixel of an area may differ from 0: tests the pixel nearest to the slice's centre.
bool area_is_wanted (int x, int y, int width, int height, int size)
{
  return is_wanted (clamp (size / 2, x, x + width - 1), clamp (size / 2, y, y + height - 1), size);
}
#endif
