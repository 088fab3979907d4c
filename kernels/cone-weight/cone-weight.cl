// SPDX-License-Identifier: LGPL-3.0-or-later
// Weighs lines of projections, with the operations of the native kernel. OpenCL C 1.2.
#pragma OPENCL FP_CONTRACT OFF

// Must match the structure in cosines.hpp.
typedef struct {
  float along, along_step, square, slope, bend;
} Cosines;

// The tables begin with line `first`; a row of shares serves `together` lines. A line of the output is `width` values,
// of which those of the input begin at `before`; the others are zero.
kernel void cone_weight (global const float *in, global const Cosines *cosines, global const float *shares, int first,
                         int together, int columns, int before, int width, global float *out)
{
  const int x = get_global_id (0), column = x - before;
  const size_t line = get_global_id (1);
  if (x >= width)
    return;
  float weighted = 0;
  if (column >= 0 && column < columns) {
    const int place = line - first;
    const Cosines c = cosines[place];
    const float i = column, along = fma (i, c.along_step, c.along);
    const float square = fma (i, fma (i, c.bend, c.slope), c.square);
    weighted = in[line * columns + column] * shares[(size_t)(place / together) * columns + column] *
               (along / sqrt (square));
  }
  out[line * width + x] = weighted;
}
