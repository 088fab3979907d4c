// SPDX-License-Identifier: LGPL-3.0-or-later
// Steps of phase retrieval around clFFT's transforms of contiguous lines: lay, rows forward, turn_to_columns, columns
// forward, multiply, columns back, turn_to_rows, rows back, crop. One image at a time; `in` and `out` are the images of
// a block, of which number `image` is processed. A row has `size` complex values, and size + 1 frequencies.

kernel void lay (global const float *in, int image, int rows, int columns, global float *lines, int size,
                 global uint *replaced, global uint *strange)
{
  local uint sum;
  local int first;
  const int place = get_global_id (0), row = get_global_id (1);
  Seen seen = {0, 0, false};
  in += ((size_t)image * rows + row) * columns;
  float loss = 0;
  if (place < 2 * size)
    loss = load_loss (in, place, columns, 2 * size, &seen);
  if (get_local_id (0) == 0)
    first = columns;
  count (seen.strange, &sum, strange);
  count (seen.replaced, &sum, replaced);
  if (sum > 0 || !isfinite (in[0]) || !isfinite (in[columns - 1])) // padding repeats these two
    find_first (in, columns, get_local_id (0), get_local_size (0), &first);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (seen.broken)
    loss = mended_loss (in, place, columns, 2 * size, first);
  if (place < 2 * size)
    lines[(size_t)row * 2 * size + place] = loss;
}

// Makes [column][height] of [row][size], with padding.
kernel void turn_to_columns (global const float2 *lines, int size, int rows, global float2 *frequencies, int height,
                             global const float2 *half_turns)
{
  const int k = get_global_id (0), at = get_global_id (1);
  if (k > size)
    return;
  lines += (size_t)inside (at, rows, height) * size;
  const float2 z = lines[k == size ? 0 : k];
  frequencies[(size_t)k * height + at] = k == size ? (float2)(z.x - z.y, 0)
                                                   : of_row (z, lines[k == 0 ? 0 : size - k], half_turns[k]);
}

kernel void multiply (global float2 *frequencies, int height, global const float *factors)
{
  const int at = get_global_id (0), column = get_global_id (1);
  if (at < height)
    frequencies[(size_t)column * height + at] *= factors[(size_t)column * (height / 2 + 1) + min (at, height - at)];
}

// Makes [row][size] of [column][height], for the rows from `begin`.
kernel void turn_to_rows (global const float2 *frequencies, int height, int begin, global float2 *lines, int size,
                          global const float2 *half_turns)
{
  const int k = get_global_id (0), number = get_global_id (1);
  if (k >= size)
    return;
  frequencies += begin + number;
  lines[(size_t)number * size + k] =
      of_pairs (frequencies[(size_t)k * height], frequencies[(size_t)(size - k) * height], half_turns[k]);
}

kernel void crop (global const float *in, int image, int rows, int columns, global const float *lines, int size,
                  int begin, int wanted, global float *out, global uint *clamped, global uint *strange,
                  global uint *odd)
{
  local uint sum;
  const int column = get_global_id (0), number = get_global_id (1);
  uint below = 0;
  if (column < columns)
    out[((size_t)image * wanted + number) * columns + column] =
        finished (lines[(size_t)number * 2 * size + column],
                  in[((size_t)image * rows + begin + number) * columns + column], &below);
  count (below, &sum, clamped);
  if (column == 0 && number == 0)
    judge (strange, (ulong)rows * columns, odd);
}
