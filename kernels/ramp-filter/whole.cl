// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters rows of 2 LENGTH real values, including padding, in one launch that reads and writes a row once. Even values
// are the real parts and odd ones the imaginary parts of LENGTH complex values, whose transform is multiplied as in
// ramp-filter.cl and transformed back. For options see fft/line.cl (transforms) and padding.cl (rows). The bits of a
// row do not depend on other rows.
#pragma OPENCL FP_CONTRACT OFF

#include "../fft/line.cl"
#include "padding.cl"

// p z + i q conj (m); z: value of the spectrum, m: value at the mirrored position.
float2 through (float2 factors, float2 z, float2 m)
{
  return TIMES_PLUS ((float2)(factors.x), z, factors.y * m.yx);
}

// Exchanges the results of the first transform between work-items, and filters them with the values at mirrored
// positions, as input of the second transform. Real and imaginary parts of x are swapped on entry, after a forward
// transform, and not on return.
void filter_line (float2 *x, int item, local float *line, global const float2 *factors)
{
  float real[VALUES], mirrored[VALUES];
  for (int part = 0; part < 2; part++) {
    put_part (x, 1 - part, LAST, COUNT (LAST), item, line);
    UNROLLED
    for (int round = 0; round < ROUNDS (R0); round++) {
      const int first = item + round * ITEMS;
      if (first < COUNT (R0))
        UNROLLED
        for (int j = 0; j < R0; j++) {
          const int k = first + j * COUNT (R0), n = round * R0 + j;
          const float here = line[APART (k)], there = line[APART (k == 0 ? 0 : LENGTH - k)];
          if (part == 0) {
            real[n] = here;
            mirrored[n] = there;
          } else
            x[n] = through (factors[k], (float2)(real[n], here), (float2)(mirrored[n], there));
        }
    }
  }
}

// Filters `lines` of [width][LANES] of a block with `row_count` rows and one line per angle of each group of lanes;
// lanes without a row become 0. In place if `out` is `in`.
kernel __attribute__ ((reqd_work_group_size (ITEMS * LINES, 1, 1))) void
filter_rows (global const float *in, int width, global float *out, int lines, int angles, int row_count,
             global const float2 *factors, global const float2 *roots)
{
  local float places[LINES][LOCAL_VALUES];
  const int item = get_local_id (0) % ITEMS, beside = get_local_id (0) / ITEMS;
  const size_t number = (size_t)get_group_id (0) * LINES + beside;
  const int lane = number % LANES;
  const bool there = number < (size_t)lines * LANES;
  const size_t line = there ? number / LANES : 0, begin = line * width * LANES + lane;
  float2 x[VALUES];
  UNROLLED
  for (int round = 0; round < ROUNDS (R0); round++) {
    const int first = item + round * ITEMS;
    if (first < COUNT (R0))
      UNROLLED
      for (int j = 0; j < R0; j++) {
        const int column = 2 * (first + j * COUNT (R0));
        x[round * R0 + j].y = padded (in + begin, column, width, 2 * LENGTH); // swapped: forward
        x[round * R0 + j].x = padded (in + begin, column + 1, width, 2 * LENGTH);
      }
  }
  transform_line (x, item, places[beside], roots);
  filter_line (x, item, places[beside], factors);
  transform_line (x, item, places[beside], roots);
  if (!there)
    return;
  const bool sound = (int)(line / angles) * LANES + lane < row_count;
  UNROLLED
  for (int round = 0; round < ROUNDS (LAST); round++) {
    const int first = item + round * ITEMS;
    if (first < COUNT (LAST))
      UNROLLED
      for (int j = 0; j < LAST; j++) {
        const int column = 2 * (first + j * COUNT (LAST));
        const float2 value = sound ? x[round * LAST + j] : (float2)(0);
        if (column < width)
          out[begin + (size_t)column * LANES] = value.x;
        if (column + 1 < width)
          out[begin + (size_t)(column + 1) * LANES] = value.y;
      }
  }
}
