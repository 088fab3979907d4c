// SPDX-License-Identifier: LGPL-3.0-or-later
// Swaps rows and columns, in tiles that a group reads and writes along their lines. OpenCL C 1.2.
//
//   -DIN=type  unsigned integer with the bytes of a value
//   -DGROUP=n  work-items of a group

#define TILE 32
#define DEEP (GROUP / TILE)

// A group per tile of an image. `height`, `width`: of the input; rows of the output are the columns of the input from
// `first` on. The second index of a group counts the tiles of all images from above, `tiles` in each.
kernel void transpose (global const IN *in, int height, int width, int first, int rows, int tiles, global IN *out)
{
  local IN tile[TILE][TILE + 1];
  const int across = get_local_id (0) % TILE, down = get_local_id (0) / TILE;
  const int number = get_global_id (1); // the number of a group would begin at 0 in each launch
  const size_t image = number / tiles;
  const int column = get_group_id (0) * TILE, row = (number - image * tiles) * TILE;
  for (int i = down; i < TILE; i += DEEP)
    if (row + across < rows && column + i < height)
      tile[i][across] = in[(image * height + column + i) * width + first + row + across];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = down; i < TILE; i += DEEP)
    if (row + i < rows && column + across < height)
      out[(image * rows + row + i) * height + column + across] = tile[across][i];
}
