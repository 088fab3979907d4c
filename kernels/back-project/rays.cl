// SPDX-License-Identifier: LGPL-3.0-or-later
// What all OpenCL kernels of back-projection start with: the bins, the rays and where a pixel sees them. OpenCL C 1.2.
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
// A launch may cover some of the work-groups, by an offset in whole groups. No kernel may ask get_group_id ():
// it does not see the offset.
#ifndef RAYS_CL // two kernels may be in one program
#define RAYS_CL

// Positions are integers in units of 2^-FRACTION of a bin. They are exact wherever the region begins and however the work
// is split into launches, and need no double precision.
#define FRACTION 40

// `origin` is where the centre of pixel (0, 0) of the full slice is seen, counted from the centre of bin 0 (from its
// left border when NEAREST); x and y are the steps to the next column and row, as are across and down, in bins.
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

// Where the centre of a pixel is seen.
long seen_at (Ray ray, int x, int y)
{
  return ray.origin + x * ray.x + y * ray.y;
}

// The bin left of it, and how far beyond that one's centre it is.
int whole_bins (long u)
{
  return (int)(u >> FRACTION); // rounds down
}

float part_of_bin (long u)
{
  return (float)((u >> (FRACTION - 24)) & 0xffffff) * 0x1p-24f; // 24 bits are exact in float
}

// Whether a pixel may be other than 0: with a mask, whether its centre lies in the circle. Twice the distances are
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

// Whether any pixel of an area may be: the one nearest to the slice's centre.
bool area_is_wanted (int x, int y, int width, int height, int size)
{
  return is_wanted (clamp (size / 2, x, x + width - 1), clamp (size / 2, y, y + height - 1), size);
}
#endif
