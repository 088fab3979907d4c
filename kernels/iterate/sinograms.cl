// SPDX-License-Identifier: LGPL-3.0-or-later
// What sinograms, [angle][column][lane], tell before iterations, and rows that are continued beyond the detector.

#define SIDE 16 // noise.hpp: values of a block, in both directions

// Computes the rank of a value among `count` others: how many come before it.
int rank_of (float value, int item, int count, local const float *values)
{
  int rank = 0;
  for (int i = 0; i < count; i++)
    rank += values[i] < value || (values[i] == value && i < item);
  return rank;
}

// Medians of absolute differences in blocks, as noise_of_block () has them: [block][lane][2]. Groups: blocks, lanes.
kernel __attribute__ ((reqd_work_group_size (SIDE *SIDE, 1, 1))) void
find_medians (global const float *bins, int columns, int across, int step, int width, int height,
              global float2 *medians)
{
  local float both[SIDE * SIDE], single[SIDE * SIDE];
  local int broken;
  const int item = get_local_id (0), block = get_group_id (0), lane = get_group_id (1), lanes = get_num_groups (1);
  const int number = block * step, count = width * height;
  const int angle = number / across * SIDE + item % height, column = number % across * SIDE + item / height;
  if (item == 0)
    broken = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item < count) {
    float rows[3];
    for (int i = 0; i < 3; i++) {
      global const float *at = bins + ((size_t)(angle + i) * columns + column) * lanes + lane;
      rows[i] = at[0] - 4 * at[lanes] + 6 * at[2 * lanes] - 4 * at[3 * lanes] + at[4 * lanes];
    }
    both[item] = fabs (rows[0] - 2 * rows[1] + rows[2]);
    single[item] = fabs (rows[1]);
    if (!isfinite (both[item]))
      atomic_or (&broken, 1);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item >= count)
    return;
  global float *to = (global float *)(medians + (size_t)block * lanes + lane);
  if (broken) {
    if (item < 2)
      to[item] = NAN;
    return;
  }
  if (rank_of (both[item], item, count, both) == count / 2)
    to[0] = both[item];
  if (rank_of (single[item], item, count, single) == count / 2)
    to[1] = single[item];
}

// The mean variance that the values in the middle of a block's differences should have, as noise_of_block () has it:
// [block][lane]. noise: photons, readout and mean of each lane. Groups: blocks, lanes.
kernel __attribute__ ((reqd_work_group_size (SIDE *SIDE, 1, 1))) void
find_expected (global const float *bins, int columns, int across, int step, int width, int height,
               global const float4 *noise, global float *expected)
{
  const float darkest = 12, most = 1;
  local float sums[SIDE * SIDE];
  const int item = get_local_id (0), block = get_group_id (0), lane = get_group_id (1), lanes = get_num_groups (1);
  const int number = block * step;
  const int angle = number / across * SIDE + item % height + 1, column = number % across * SIDE + item / height + 2;
  float variance = 0;
  if (item < width * height) {
    const float dimmer = exp (fmin (bins[((size_t)angle * columns + column) * lanes + lane], darkest));
    variance = fmin (noise[lane].x * dimmer + noise[lane].y * dimmer * dimmer, most) + noise[lane].z;
  }
  sums[item] = variance;
  for (int half_of = SIDE * SIDE / 2; half_of > 0; half_of /= 2) {
    barrier (CLK_LOCAL_MEM_FENCE);
    if (item < half_of)
      sums[item] += sums[item + half_of];
  }
  if (item == 0)
    expected[(size_t)block * lanes + lane] = sums[0] / (width * height);
}

#define PARTS 8 // of a row

// The sum of squares of each row, [angle][lane]. Groups have a work-item for each lane and part.
kernel void add_squares (global const float *bins, int columns, global float *squares)
{
  local float sums[PARTS][32];
  const int lane = get_local_id (0), part = get_local_id (1), lanes = get_local_size (0), angle = get_group_id (1);
  Exact all = {(float2)(0), (float2)(0)};
  for (int column = part; column < columns; column += PARTS) {
    const float value = bins[((size_t)angle * columns + column) * lanes + lane];
    all = add_exactly (all, (float2)(value * value));
  }
  sums[part][lane] = all.sum.x + all.lost.x;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (part > 0)
    return;
  float sum = 0;
  for (int i = 0; i < PARTS; i++)
    sum += sums[i][lane];
  squares[(size_t)angle * lanes + lane] = sum;
}

// Continues rows to `size` bins, `margin` of them before the row. tapers: [size].
kernel void continue_rows (global const float *bins, int columns, int lanes, int margin, int size,
                           global const float *tapers, global float *to)
{
  const int number = get_global_id (0), angle = get_global_id (1);
  if (number >= size * lanes)
    return;
  const int i = number / lanes, column = clamp (i - margin, 0, columns - 1);
  to[(size_t)angle * size * lanes + number] =
      tapers[i] * bins[((size_t)angle * columns + column) * lanes + number % lanes];
}
