// SPDX-License-Identifier: LGPL-3.0-or-later
// Offsets of columns, from means of neighbouring angles: the definitions of columns.hpp and detect.hpp.

// Means of neighbouring angles without values that are no numbers, as keys by columns. Items: columns, means, groups.
kernel void mean_of_angles (Stack s, global const float *in, ulong first, int means, int bridged,
                            global const Bridge *bridges, global int *keys)
{
  const int column = get_global_id (0), mean = get_global_id (1), group = get_global_id (2);
  if (column >= s.columns)
    return;
  const int begin = (long)mean * s.angles / means, end = (long)(mean + 1) * s.angles / means;
  Bridge bridge = {-1, -1, 0};
  if (bridged)
    bridge = bridges[group * s.columns + column];
  in += first + (size_t)group * s.angles * s.columns;
  float sum = 0, count = 0;
  for (int a = begin; a < end; a++) {
    global const float *line = in + (size_t)a * s.columns;
    const float value = bridge.left >= 0 ? across (bridge, line) : line[column];
    const bool counts = bridge.left >= 0 || isfinite (value);
    sum += counts ? value : 0;
    count += counts ? 1 : 0;
  }
  keys[((size_t)group * s.columns + column) * means + mean] = key_of (over (sum, count));
}

// Lines minus a number for each column. Items: columns, some of the angles, groups.
kernel void lower_lines (Stack s, global const float *in, ulong first, int bridged, global const Bridge *bridges,
                         global const float *by, global float *out)
{
  const int column = get_global_id (0), group = get_global_id (2);
  if (column >= s.columns)
    return;
  Bridge bridge = {-1, -1, 0};
  if (bridged)
    bridge = bridges[group * s.columns + column];
  const float number = by[group * s.columns + column];
  const size_t from = first + (size_t)group * s.angles * s.columns;
  for (int a = get_global_id (1); a < s.angles; a += get_global_size (1)) {
    const size_t line = from + (size_t)a * s.columns;
    out[line + column] = minus (bridge.left >= 0 ? across (bridge, in + line) : in[line + column], number);
  }
}

// --- medians of a few keys of a column ---

#define PARTS 16    // work-items of a column
#define SHARE 16    // keys of each
#define TOGETHER 16 // columns of a group

// The key at rank n / 2 of at most PARTS * SHARE keys, whose order is that of unsigned numbers; missing ones are the
// greatest. All work-items of a group call it.
uint middle_of (const uint *own, int n, local int (*counts)[TOGETHER][PARTS])
{
  const int part = get_local_id (0), line = get_local_id (1);
  uint found = 0;
  int turn = 0;
  for (uint bit = 0x80000000u; bit > 0; bit >>= 1) {
    int count = 0;
#pragma unroll
    for (int i = 0; i < SHARE; i++)
      count += own[i] < (found | bit);
    counts[turn][line][part] = count;
    barrier (CLK_LOCAL_MEM_FENCE);
    int below = 0;
    for (int i = 0; i < PARTS; i++)
      below += counts[turn][line][i];
    if (below <= n / 2)
      found |= bit;
    turn = 1 - turn;
  }
  return found;
}

uint ordered (float value)
{
  return (uint)key_of (value) ^ 0x80000000u;
}

float value_of_ordered (uint key)
{
  return value_of ((int)(key ^ 0x80000000u));
}

// Lowers each column by its median distance from its smooth copy, adds that to its offset, and sets its error.
// Groups: columns.
kernel __attribute__ ((reqd_work_group_size (PARTS, TOGETHER, 1))) void
lower_by_medians (Stack s, int n, global int *keys, global const int *smooth, global double *offsets,
                  global double *errors)
{
  local int counts[2][TOGETHER][PARTS];
  const int part = get_local_id (0), column = get_group_id (0) * TOGETHER + get_local_id (1);
  const bool valid = column < s.columns * s.groups;
  const size_t at = (size_t)column * n;
  float differences[SHARE];
  uint own[SHARE];
#pragma unroll
  for (int i = 0; i < SHARE; i++) {
    const int rank = part + i * PARTS;
    const bool is = valid && rank < n;
    differences[i] = is ? minus (value_of (keys[at + rank]), value_of (smooth[at + rank])) : 0;
    own[i] = is ? ordered (differences[i]) : UINT_MAX;
  }
  const float above = value_of_ordered (middle_of (own, n, counts));
#pragma unroll
  for (int i = 0; i < SHARE; i++)
    own[i] = valid && part + i * PARTS < n ? ordered (fabs (minus (differences[i], above))) : UINT_MAX;
  const float deviation = value_of_ordered (middle_of (own, n, counts));
  if (!valid)
    return;
  const int number = number_of (s, column);
  if (part == 0)
    errors[number] = 1.4826 * 1.2533 * (double)deviation / sqrt ((double)n);
  if (!isfinite (above))
    return;
  if (part == 0)
    offsets[number] += (double)above;
  for (int rank = part; rank < n; rank += PARTS)
    keys[at + rank] = key_of (minus (value_of (keys[at + rank]), above));
}

// Median distance of each column from the one before. Groups: columns.
kernel __attribute__ ((reqd_work_group_size (PARTS, TOGETHER, 1))) void
steps_between (Stack s, int n, global const int *keys, global double *steps)
{
  local int counts[2][TOGETHER][PARTS];
  const int part = get_local_id (0), column = get_group_id (0) * TOGETHER + get_local_id (1);
  const bool valid = column < s.columns * s.groups && column % s.columns >= s.lanes;
  const size_t at = (size_t)column * n, before = (size_t)(column - s.lanes) * n;
  uint own[SHARE];
#pragma unroll
  for (int i = 0; i < SHARE; i++) {
    const int rank = part + i * PARTS;
    own[i] = valid && rank < n ? ordered (minus (value_of (keys[at + rank]), value_of (keys[before + rank]))) : UINT_MAX;
  }
  const float step = value_of_ordered (middle_of (own, n, counts));
  if (valid && part == 0)
    steps[number_of (s, column)] = (double)step;
}

// --- small steps between columns, which medians preserve ---

#define REACH 12
#define SIGMA 3.0
#define MOST_DEVIATIONS 4

// Adds to the offsets what steps between columns show, and sets the number to subtract from each column. `line`,
// `rough`: room for a number of each column. Groups: sinograms.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
add_roughness (Stack s, global const double *steps, global double *line, global double *rough,
               global const double *offsets, global const double *errors, global float *by)
{
  local int count;
  const int n = columns_of_lane (s), first = get_group_id (0) * n;
  steps += first;
  line += first;
  rough += first;
  if (ITEM == 0) {
    double height = 0;
    line[0] = 0;
    for (int i = 1; i < n; i++)
      line[i] = height += isfinite (steps[i]) ? steps[i] : 0;
  }
  barrier (CLK_GLOBAL_MEM_FENCE);
  for (int i = ITEM; i < n; i += GROUP) {
    double sum = 0, weights = 0;
    for (int j = -REACH; j <= REACH; j++) {
      const double weight = exp (-(double)(j * j) / (2 * SIGMA * SIGMA));
      sum += weight * line[mirrored (i + j, n)];
      weights += weight;
    }
    rough[i] = line[i] - sum / weights;
  }
  barrier (CLK_GLOBAL_MEM_FENCE);
  ulong found = 0; // the median of their sizes
  for (ulong bit = 1ul << 62; bit > 0; bit >>= 1) {
    int below = 0;
    for (int i = ITEM; i < n; i += GROUP)
      below += as_ulong (fabs (rough[i])) < (found | bit);
    if (count_in_group (below, &count) <= n / 2)
      found |= bit;
  }
  const double most = MOST_DEVIATIONS * 1.4826 * as_double (found);
  for (int i = ITEM; i < n; i += GROUP) {
    const double offset = offsets[first + i] + (fabs (rough[i]) > most ? 0 : rough[i]);
    const double error = 2 * errors[first + i];
    by[column_of (s, first + i)] = fabs (offset) > error ? (float)(offset * (1 - error * error / (offset * offset))) : 0;
  }
}
