// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms of rays, and of the grid's columns and rows, whose results are stored in the layout of the next step.
// fft/line.cl has the transforms and their options.
//
//   -DFORWARD      e^(-2 pi i j k / LENGTH)
//   -DMASK         as in fourier-reconstruct.cl
#pragma OPENCL FP_CONTRACT OFF

#include "../fft/line.cl"
#include "places.cl"

float2 directed (float2 value)
{
#ifdef FORWARD
  return value.yx; // swapped before and after, which changes the sign of the transform
#else
  return value;
#endif
}

// Loads a line; zeros if there is none.
void load_line (float2 *x, int item, global const float2 *line, bool there)
{
  UNROLLED
  for (int round = 0; round < ROUNDS (R0); round++) {
    const int number = item + round * ITEMS;
    if (number < COUNT (R0))
      UNROLLED
      for (int j = 0; j < R0; j++)
        x[round * R0 + j] = there ? directed (line[number + j * COUNT (R0)]) : (float2)(0);
  }
}

#ifdef FORWARD

// Transforms `count` lines in place.
kernel __attribute__ ((reqd_work_group_size (ITEMS, LINES, 1))) void
transform (global float2 *lines, int count, global const float2 *roots)
{
  local float places[LINES][LOCAL_VALUES];
  const int item = get_local_id (0), beside = get_local_id (1), number = get_global_id (1);
  global float2 *line = lines + (size_t)number * LENGTH;
  float2 x[VALUES];
  load_line (x, item, line, number < count);
  transform_line (x, item, places[beside], roots);
  if (number >= count)
    return;
  UNROLLED
  for (int round = 0; round < ROUNDS (LAST); round++) {
    const int first = item + round * ITEMS;
    if (first < COUNT (LAST))
      UNROLLED
      for (int j = 0; j < LAST; j++)
        line[first + j * COUNT (LAST)] = directed (x[round * LAST + j]);
  }
}

#else

// Transforms columns of the grid, with a pair of slices per index of the third dimension, and crops like slices.cl's
// crop.
kernel __attribute__ ((reqd_work_group_size (ITEMS, LINES, 1))) void
transform_columns (global const float2 *lines, int columns, int first, int count, int size, int upper, int height,
                   global float2 *kept, global const float2 *roots)
{
  local float places[LINES][LOCAL_VALUES];
  const int item = get_local_id (0), beside = get_local_id (1), column = get_global_id (1), pair = get_global_id (2);
  float2 x[VALUES];
  load_line (x, item, lines + ((size_t)pair * columns + column) * LENGTH, column < count);
  transform_line (x, item, places[beside], roots);
  if (column >= count)
    return;
  kept += ((size_t)pair * LENGTH + first + column) * height;
  UNROLLED
  for (int round = 0; round < ROUNDS (LAST); round++) {
    const int from = item + round * ITEMS;
    if (from < COUNT (LAST))
      UNROLLED
      for (int j = 0; j < LAST; j++) {
        const int y = pixel_at (from + j * COUNT (LAST), size, LENGTH) - upper;
        if (y >= 0 && y < height)
          kept[y] = directed (x[round * LAST + j]);
      }
  }
}

// Transforms rows of the region, and stores like slices.cl's store.
kernel __attribute__ ((reqd_work_group_size (ITEMS, LINES, 1))) void
transform_rows (global const float2 *lines, int rows, int first, int count, int size, int left, int upper, int width,
                int height, global const float *correction, global const int *broken, int lane, int slices,
                global float *out, global const float2 *roots)
{
  local float places[LINES][LOCAL_VALUES];
  const int item = get_local_id (0), beside = get_local_id (1), row = get_global_id (1), pair = get_global_id (2);
  float2 x[VALUES];
  load_line (x, item, lines + ((size_t)pair * rows + row) * LENGTH, row < count);
  transform_line (x, item, places[beside], roots);
  if (row >= count)
    return;
  const Slices to = {out, lane + 2 * pair, slices, width, height, broken[2 * pair], broken[2 * pair + 1]};
  const int y = upper + first + row;
  UNROLLED
  for (int round = 0; round < ROUNDS (LAST); round++) {
    const int from = item + round * ITEMS;
    if (from < COUNT (LAST))
      UNROLLED
      for (int j = 0; j < LAST; j++) {
        const int pixel = pixel_at (from + j * COUNT (LAST), size, LENGTH), column = pixel - left;
        if (pixel >= 0 && column >= 0 && column < width)
          store_pixel (to, directed (x[round * LAST + j]) * (correction[pixel] * correction[y]), pixel, y, column,
                       first + row, size);
      }
  }
}

#endif
