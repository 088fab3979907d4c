// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms of lines of LENGTH complex values, x[k] = sum over j of x[j] e^(2 pi i j k / LENGTH), unnormalised; with
// FORWARD e^(-2 pi i j k / LENGTH). A line is read and written once: ITEMS work-items hold it in their registers, and
// exchange values through local memory between the steps, real parts, then imaginary ones. LENGTH is R0 R1 R2 R3 R4, of
// which those that are not needed are 1; step s makes transforms of Rs values, and puts them where the next step finds
// them in order (J. W. Cooley, J. W. Tukey, Math. Comp. 19, 297, 1965; the order is T. G. Stockham's, AFIPS Proc. 28,
// 229, 1966). A group has LINES of them, and a line's bits do not depend on the lines beside it.
//
//   -DLENGTH=n -DITEMS=n -DLINES=n -DR0=n ... -DR4=n
//   -DLAST=n       the last radix that is not 1
//   -DVALUES=n     values of a work-item at most: ROUNDS of a radix, times it
//   -DUNROLL       loops are unrolled, so that x is in registers; compilers for CPUs take four times as long with it
//   -DMASK         as in fourier-reconstruct.cl
#pragma OPENCL FP_CONTRACT OFF

#include "butterflies.cl"
#include "places.cl"

#ifdef UNROLL
#define UNROLLED _Pragma ("unroll")
#else
#define UNROLLED
#endif
#define COUNT(radix) (LENGTH / (radix))                        // transforms of so many values in a step
#define ROUNDS(radix) ((COUNT (radix) + ITEMS - 1) / ITEMS)    // of a work-item at most
#define APART(place) ((place) + (place) / 16)                  // keeps strides of powers of two in different banks
#define LOCAL_VALUES APART (LENGTH)

float2 directed (float2 value)
{
#ifdef FORWARD
  return value.yx; // swapped before and after, a transform has the other sign
#else
  return value;
#endif
}

// Transform number `item` + `round` ITEMS of a step has values `radix` round, and those after it, of x.

// One step. `before`: the product of the radices before it.
void transform_step (float2 *x, const int radix, const int before, int item, global const float2 *roots)
{
  UNROLLED
  for (int round = 0; round < ROUNDS (radix); round++) {
    const int number = item + round * ITEMS;
    if (number < COUNT (radix)) {
      if (before > 1) {
        const int turn = number % before * (LENGTH / (before * radix));
        UNROLLED
        for (int j = 1; j < radix; j++)
          x[round * radix + j] = times (roots[j * turn], x[round * radix + j]);
      }
      transform_few (x + round * radix, radix);
    }
  }
}

// What a step made becomes what the next one, of another radix, takes.
void exchange (float2 *x, const int radix, const int before, const int next, int item, local float *line)
{
  float real[VALUES];
  for (int part = 0; part < 2; part++) {
    barrier (CLK_LOCAL_MEM_FENCE); // until all have read what is there
    UNROLLED
    for (int round = 0; round < ROUNDS (radix); round++) {
      const int number = item + round * ITEMS;
      const int first = number / before * (before * radix) + number % before;
      if (number < COUNT (radix))
        UNROLLED
        for (int j = 0; j < radix; j++)
          line[APART (first + j * before)] = part == 0 ? x[round * radix + j].x : x[round * radix + j].y;
    }
    barrier (CLK_LOCAL_MEM_FENCE);
    UNROLLED
    for (int round = 0; round < ROUNDS (next); round++) {
      const int number = item + round * ITEMS;
      if (number < COUNT (next))
        UNROLLED
        for (int j = 0; j < next; j++) {
          const float value = line[APART (number + j * COUNT (next))];
          if (part == 0)
            real[round * next + j] = value;
          else
            x[round * next + j] = (float2)(real[round * next + j], value);
        }
    }
  }
}

// Afterwards value j of a transform's results, of the last step, is number (its own number) + j COUNT (LAST) of the line.
void transform_line (float2 *x, int item, local float *line, global const float2 *roots)
{
  transform_step (x, R0, 1, item, roots);
#if R1 > 1
  exchange (x, R0, 1, R1, item, line);
  transform_step (x, R1, R0, item, roots);
#endif
#if R2 > 1
  exchange (x, R1, R0, R2, item, line);
  transform_step (x, R2, R0 * R1, item, roots);
#endif
#if R3 > 1
  exchange (x, R2, R0 * R1, R3, item, line);
  transform_step (x, R3, R0 * R1 * R2, item, roots);
#endif
#if R4 > 1
  exchange (x, R3, R0 * R1 * R2, R4, item, line);
  transform_step (x, R4, R0 * R1 * R2 * R3, item, roots);
#endif
}

// Zeros where there is no line.
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

// In place, `count` lines.
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

// Columns of the grid, a pair in each third dimension, and what slices.cl's crop does.
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

// Rows of the region, and what slices.cl's store does.
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
