// SPDX-License-Identifier: LGPL-3.0-or-later
// Joins lines with mirror images of other lines, with the operations of the native code. OpenCL C 1.2.
#pragma OPENCL FP_CONTRACT OFF

// Places of an input line and of an output line, in values.
typedef struct {
  ulong from, to;
} Line;

// Fills output lines of `width` values in lanes with weighted lines of `values` values, which begin at value `before`.
// `weights`: for each column of the output.
kernel void direct (global const float *in, global const Line *lines, global const float *weights, int lanes,
                    int before, int values, int width, global float *out)
{
  const int x = get_global_id (0), inside = x - before;
  if (x >= width)
    return;
  const Line line = lines[get_global_id (1)];
  out[line.to + x] = inside >= 0 && inside < values ? weights[x / lanes] * in[line.from + inside] : 0;
}

// Adds weighted mirror images to `count` columns of output lines from column `first` on. The first value of column i of
// the mirror image lies at column `start` - i of the input; sums have `taps` values. Beyond its ends a line continues.
kernel void mirror (global const float *in, global const Line *lines, global const float *weights,
                    constant const float *parts, int taps, int lanes, int columns, int start, int first, int count,
                    global float *out)
{
  const int x = get_global_id (0), column = x / lanes, lane = x - column * lanes;
  if (column >= count)
    return;
  const Line line = lines[get_global_id (1)];
  global const float *from = in + line.from + lane;
  float sum = parts[0] * from[(size_t)clamp (start - column, 0, columns - 1) * lanes];
  for (int i = 1; i < taps; i++)
    sum = fma (parts[i], from[(size_t)clamp (start - column - i, 0, columns - 1) * lanes], sum);
  global float *to = out + line.to + (size_t)first * lanes + x;
  *to = fma (weights[first + column], sum, *to);
}
