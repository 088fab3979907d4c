// SPDX-License-Identifier: LGPL-3.0-or-later
// Combines pixels, with the sums of the native code: over the rows first. OpenCL C 1.2.
//
//   -DIN=type, -DHALF  as values.cl has it
#include "../point/values.cl"

// The first of the values is number `before` of each image. `down`, `across`: rows and columns to combine. Lines have
// `line` values, in lanes; images have `rows_in` and `rows_out` rows.
kernel void bin (global const IN *in, long before, int down, int across, float scale, int lanes, int line, int width, int rows_in,
                 int rows_out, global float *out)
{
  const int x = get_global_id (0), y = get_global_id (1);
  if (x >= width)
    return;
  const int image = y / rows_out, row = y - image * rows_out, column = x / lanes, lane = x - column * lanes;
  const size_t first =
      before + ((size_t)image * rows_in + row * down) * line + (size_t)column * across * lanes + lane;
  float sum = 0;
  for (int i = 0; i < across; i++) {
    float part = 0;
    for (int j = 0; j < down; j++)
      part += VALUE (in, first + (size_t)j * line + i * lanes);
    sum = i == 0 ? part : sum + part;
  }
  out[(size_t)y * width + x] = sum * scale;
}
