// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes slices from transformed lines of the grid. `cells`: number of values in a line; `size`: size of the full slice.

#define SQUARE 16

// Copies the rows of the region from `count` columns of the grid, beginning with column `first`, for each pair of
// slices, to [pair][cells][height]. `columns`: number of columns in the batch.
kernel void crop (global const float2 *lines, int cells, int columns, int first, int count, int size, int upper,
                  int height, global float2 *kept)
{
  const int y = get_global_id (0), column = get_global_id (1), pair = get_global_id (2);
  if (y < height && column < count)
    kept[((size_t)pair * cells + first + column) * height + y] =
        lines[((size_t)pair * columns + column) * cells + place_of (upper + y, size, cells)];
}

// Transposes `count` rows of the region, beginning with row `first`, to lines of [pair][rows].
kernel __attribute__ ((reqd_work_group_size (SQUARE, SQUARE, 1))) void
gather (global const float2 *kept, int cells, int height, int first, int count, global float2 *lines, int rows)
{
  local float2 square[SQUARE][SQUARE + 1];
  const int i = get_local_id (0), j = get_local_id (1), pair = get_global_id (2);
  const int column = get_global_id (0) - i, row = get_global_id (1) - j;
  if (column + j < cells && row + i < count)
    square[j][i] = kept[((size_t)pair * cells + column + j) * height + first + row + i];
  barrier (CLK_LOCAL_MEM_FENCE);
  if (column + i < cells && row + j < count)
    lines[((size_t)pair * rows + row + j) * cells + column + i] = square[i][j];
}

// Stores `count` rows of the region, beginning with row `first`, from lines of [pair][rows] to the slices that begin
// with slice `lane`. Slices are dense: `slices` in all, of the region from (left, upper) with width x height pixels.
kernel void store (global const float2 *lines, int cells, int rows, int first, int count, int size, int left, int upper,
                   int width, int height, global const float *correction, global const int *broken, int lane,
                   int slices, global float *out)
{
  const int column = get_global_id (0), line = get_global_id (1), pair = get_global_id (2);
  if (column >= width || line >= count)
    return;
  const int x = left + column, y = upper + first + line;
  const float2 value = lines[((size_t)pair * rows + line) * cells + place_of (x, size, cells)];
  const Slices to = {out, lane + 2 * pair, slices, width, height, broken[2 * pair], broken[2 * pair + 1]};
  store_pixel (to, value * (correction[x] * correction[y]), x, y, column, first + line, size);
}
