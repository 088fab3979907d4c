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
    while (c.below > reach || c.upto <= reach) {
      // The next key is the next greater one; downward it is in the reversed order, so that work-items stay together.
      const int reversed = c.below > reach ? -1 : 0, limit = median ^ reversed;
      const bool inside = column >= reach && column + reach < r.columns;
      global const int *near = r.keys + (inside ? r.stride * (column - reach) : 0);
      int next = INT_MAX, times = 0;
      for (int i = column - reach; i <= column + reach; i++, near += r.stride) {
        const int key = (inside ? *near : key_at (r, i)) ^ reversed;
        const bool better = key > limit && key < next;
        times = better ? 1 : times + (key == next);
        next = better ? key : next;
      }
      median = next ^ reversed;
      if (reversed) {
        c.upto = c.below;
        c.below -= times;
      } else {
        c.below = c.upto;
        c.upto += times;
      }
    }
  }
}
