// SPDX-License-Identifier: LGPL-3.0-or-later
// Steps of row filtering besides the transforms: `lay` copies rows into padded rows of `length` values, which are
// transformed as length / 2 complex values; `filter` multiplies; after the inverse transform `crop` removes the
// padding. OpenCL C 1.2.
//
// A line of the stream is [width][LANES], and gives LANES padded rows; for the options see padding.cl.
//
// A work-item processes a column of all lanes, so neighbours read and write neighbouring values. A launch covers some
// lines of the block, by an offset of dimension 1; padded rows count from that offset.

#include "padding.cl"

// The first of the padded rows that belong to a line.
size_t first_row (size_t line)
{
  return (line - get_global_offset (1)) * LANES;
}

kernel void lay (global const float *lines, int width, global float *rows, int length)
{
  const int column = get_global_id (0);
  if (column >= length)
    return;
  const size_t line = get_global_id (1);
  lines += line * width * LANES;
  rows += first_row (line) * length;
  for (int lane = 0; lane < LANES; lane++)
    rows[(size_t)lane * length + column] = padded (lines + lane, column, width, length);
}

// p z + i q conj (m)
float2 through (float2 factors, float2 z, float2 m)
{
  return factors.x * z + factors.y * m.yx;
}

// Filters a row of `size` complex values Z with factors p and q:
//   Z'[k] = p[k] Z[k] + i q[k] conj (Z[size - k])
// This filters 2 size real values; even ones are the real parts, odd ones the imaginary parts. A work-item computes two
// values that depend on each other.
kernel void filter (global float2 *rows, global const float2 *factors, int size)
{
  const int k = get_global_id (0);
  if (2 * k > size)
    return;
  global float2 *row = rows + get_global_id (1) * size;
  const int mirrored = k == 0 ? 0 : size - k;
  const float2 z = row[k], m = row[mirrored];
  row[k] = through (factors[k], z, m);
  if (mirrored != k)
    row[mirrored] = through (factors[mirrored], m, z);
}

// The block has `row_count` rows, and one line per angle of each group of lanes; lanes without a row become 0.
kernel void crop (global const float *rows, int length, global float *lines, int width, int angles, int row_count)
{
  const int column = get_global_id (0);
  if (column >= width)
    return;
  const size_t line = get_global_id (1);
  const int row = (int)line / angles * LANES;
  lines += line * width * LANES;
  rows += first_row (line) * length;
  for (int lane = 0; lane < LANES; lane++)
    lines[(size_t)column * LANES + lane] = row + lane < row_count ? rows[(size_t)lane * length + column] : 0;
}
