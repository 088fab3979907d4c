// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtered projections in the memory of a device, and pictures of planes that are made of them. The layout of kept
// projections is that of kernels/live/plane.hpp; values are halves if HALF is 1. OpenCL C 1.2.

#if HALF
#define KEPT half
#define LOAD(at, values) vload_half (at, values)
#else
#define KEPT float
#define LOAD(at, values) ((values)[at])
#endif

// out[projection][kept row][column]: the mean of `bin` rows, of fewer at the end.
kernel void live_average (global const float *in, ulong first, int columns, int rows, int bin, int kept_rows, int lines,
                          global float *out)
{
  const int column = get_global_id (0), line = get_global_id (1), projection = line / kept_rows,
            row = line - projection * kept_rows;
  if (column >= columns || line >= lines)
    return;
  const int begin = row * bin, end = min (begin + bin, rows);
  global const float *from = in + first + ((ulong)projection * rows + begin) * columns + column;
  float sum = from[0];
  for (int r = 1; r < end - begin; r++)
    sum += from[(ulong)r * columns];
  out[(ulong)line * columns + column] = sum * (1.0f / (end - begin));
}

// Fills holes of rows: between the nearest values at both sides, with the only one, or with 0.
kernel void live_fill (global const float *in, int columns, int lines, global float *out)
{
  const int column = get_global_id (0), line = get_global_id (1);
  if (column >= columns || line >= lines)
    return;
  global const float *from = in + (ulong)line * columns;
  float value = from[column];
  if (!isfinite (value)) {
    int left = column - 1, right = column + 1;
    while (left >= 0 && !isfinite (from[left]))
      left--;
    while (right < columns && !isfinite (from[right]))
      right++;
    if (left < 0)
      value = right < columns ? from[right] : 0;
    else if (right >= columns)
      value = from[left];
    else
      value = (from[left] * (right - column) + from[right] * (column - left)) / (right - left);
  }
  out[(ulong)line * columns + column] = value;
}

// sums[row]: of the sizes of its values.
kernel void live_sizes (global const float *in, int columns, int rows, global float *sums)
{
  const int row = get_global_id (0);
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = 0; i < columns; i++) {
    const float value = fabs (in[(ulong)row * columns + i]);
    sum += isfinite (value) ? value : 0;
  }
  sums[row] = sum;
}

// Keeps a filtered projection; `to`: place of its first value. Infinite values would stay in pictures for ever.
kernel void live_keep (global const float *in, ulong first, int columns, int rows, int stride, ulong to, float weight,
                       global KEPT *values, global int *overflown)
{
  const int column = get_global_id (0), row = get_global_id (1);
  if (column >= columns || row >= rows)
    return;
  const float value = in[first + (ulong)row * columns + column] * weight;
  const ulong at = to + (ulong)row * stride + column;
#if HALF
  const float largest = 65504;
  if (!(fabs (value) <= largest))
    *overflown = 1;
  vstore_half_rte (clamp (value, -largest, largest), at, values);
#else
  values[at] = value;
#endif
}

// A projection: pixel i of line j is seen at first + i right + j down, in 2^-32 of a column.
typedef struct {
  long first, right, down;
  ulong place; // of its first value
  float factor, none;
} Sight;

// What a line sees: a row, and the share of the one below. Row -2: nothing.
typedef struct {
  int above;
  float share;
} Line;

kernel void live_add (global const KEPT *values, int columns, int stride, global const Sight *sights, int count,
                      global const Line *lines, int width, int height, int picture_stride, global float *picture)
{
  const int i = get_global_id (0), j = get_global_id (1);
  if (i >= width || j >= height)
    return;
  const Line line = lines[j];
  if (line.above < -1)
    return;
  const ulong pixel = (ulong)j * picture_stride + i;
  float sum = picture[pixel];
  for (int k = 0; k < count; k++) {
    const long u = sights[k].first + i * sights[k].right + j * sights[k].down, column = u >> 32;
    if (column < -1 || column >= columns)
      continue;
    const float share = (uint)u * 0x1p-32f;
    global const KEPT *from = values + ((long)sights[k].place + (long)line.above * stride + column);
    float left = LOAD (0, from), right = LOAD (1, from);
    if (line.share > 0) {
      left = fma (line.share, LOAD (stride, from) - left, left);
      right = fma (line.share, LOAD (stride + 1, from) - right, right);
    }
    sum = fma (sights[k].factor, fma (share, right - left, left), sum);
  }
  picture[pixel] = sum;
}
