// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians across columns, for each rank alone: the definition of medians.hpp.

// A sinogram by columns, at one rank.
typedef struct {
  global const int *keys;
  size_t stride;
  int columns;
} Rank;

int key_at (Rank r, int column)
{
  return r.keys[r.stride * mirrored (column, r.columns)];
}

typedef struct {
  int below, upto; // keys of a window that are less than the median; less or equal
} Counts;

Counts count_keys (Rank r, int column, int reach, int key)
{
  Counts c = {0, 0};
  for (int i = column - reach; i <= column + reach; i++) {
    const int other = key_at (r, i);
    c.below += other < key;
    c.upto += other <= key;
  }
  return c;
}

// The greatest key with at most `reach` keys below it.
int first_median (Rank r, int column, int reach)
{
  uint found = 0;
  for (uint bit = 0x80000000u; bit > 0; bit >>= 1)
    if (count_keys (r, column, reach, (int)((found | bit) ^ 0x80000000u)).below <= reach)
      found |= bit;
  return (int)(found ^ 0x80000000u);
}

// Slides a window over SEGMENT columns. One key goes and one comes, so the median changes at most to the next key of
// the window. Items: ranks; segments; sinograms.
kernel void medians (Stack s, int ranks, int size, global const int *keys, global int *smooth, ulong first)
{
  const int rank = get_global_id (0), sinogram = get_global_id (2), reach = size / 2;
  if (rank >= ranks)
    return;
  const size_t origin = ((size_t)(sinogram / s.lanes) * s.columns + sinogram % s.lanes) * ranks + rank;
  const Rank r = {keys + origin, (size_t)s.lanes * ranks, columns_of_lane (s)};
  smooth += first + origin;
  int column = get_global_id (1) * SEGMENT;
  const int end = min (column + SEGMENT, r.columns);
  int median = first_median (r, column, reach);
  Counts c = count_keys (r, column, reach, median);
  for (;;) {
    smooth[r.stride * column] = median;
    if (++column == end)
      return;
    const int gone = key_at (r, column - 1 - reach), come = key_at (r, column + reach);
    c.below += (come < median) - (gone < median);
    c.upto += (come <= median) - (gone <= median);
    while (c.below > reach) { // to the next lower key
      int next = INT_MIN, times = 0;
      for (int i = column - reach; i <= column + reach; i++) {
        const int key = key_at (r, i);
        const bool better = key < median && key > next;
        times = better ? 1 : times + (key == next);
        next = better ? key : next;
      }
      median = next;
      c.upto = c.below;
      c.below -= times;
    }
    while (c.upto <= reach) { // to the next greater key
      int next = INT_MAX, times = 0;
      for (int i = column - reach; i <= column + reach; i++) {
        const int key = key_at (r, i);
        const bool better = key > median && key < next;
        times = better ? 1 : times + (key == next);
        next = better ? key : next;
      }
      median = next;
      c.below = c.upto;
      c.upto += times;
    }
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
