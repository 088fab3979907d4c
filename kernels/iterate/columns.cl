// SPDX-License-Identifier: LGPL-3.0-or-later
// Stages of columns: transforms, products with real factors, and transforms back, in place. Neighbouring work-items have
// neighbouring columns, so that a group reads whole sectors of memory; groups of the same columns of all pairs run one
// after the other, so that factors come from the cache.

// The kernel of T, [parity of the row's frequency][column][row's frequency], for the columns in z.
kernel __attribute__ ((reqd_work_group_size (COLUMNS, ITEMS, 1))) void
convolve (global float2 *z, global const float *factors, int parity, global const float2 *roots,
          global const float2 *half_turns)
{
  local float places[COLUMNS * BESIDE];
  const int item = get_local_id (1), column = get_group_id (2) * COLUMNS + get_local_id (0);
  local float *line = places + get_local_id (0) * BESIDE;
  z += image_of (get_global_id (0) / COLUMNS) + place (column, 0);
  factors += image_of (2 * parity) + (size_t)column * LENGTH;
  float2 sum[VALUES];
  ROLLED
  for (int odd = 0; odd < 2; odd++) {
    const int here = hidden (item, odd);
    float2 x[VALUES];
    UNROLLED
    for (int i = 0; i < ROUNDS (R0) * R0; i++) {
      const int at = index_of (i, R0, here);
      if (at < LENGTH)
        x[i] = odd ? times (half_turns[at], z[(size_t)at * TOGETHER]) : z[(size_t)at * TOGETHER];
    }
    filter_line (x, factors + image_of (odd), here, line, roots);
    add_part (sum, x, odd, here, half_turns);
  }
  UNROLLED
  for (int i = 0; i < ROUNDS (LAST) * LAST; i++) {
    const int at = index_of (i, LAST, item);
    if (at < LENGTH)
      z[(size_t)at * TOGETHER] = sum[i];
  }
}

// The metric, [column][row].
kernel __attribute__ ((reqd_work_group_size (COLUMNS, ITEMS, 1))) void
divide (global float2 *z, global const float *metric, global const float2 *roots)
{
  local float places[COLUMNS * BESIDE];
  const int item = get_local_id (1), column = get_group_id (2) * COLUMNS + get_local_id (0);
  z += image_of (get_global_id (0) / COLUMNS) + place (column, 0);
  float2 x[VALUES];
  UNROLLED
  for (int i = 0; i < ROUNDS (R0) * R0; i++) {
    const int at = index_of (i, R0, item);
    if (at < LENGTH)
      x[i] = z[(size_t)at * TOGETHER];
  }
  filter_line (x, metric + (size_t)column * LENGTH, item, places + get_local_id (0) * BESIDE, roots);
  UNROLLED
  for (int i = 0; i < ROUNDS (LAST) * LAST; i++) {
    const int at = index_of (i, LAST, item);
    if (at < LENGTH)
      z[(size_t)at * TOGETHER] = x[i];
  }
}
