// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds columns that are stripes, from one number per column: the definitions of detect.hpp. A group of work-items takes
// one sinogram.

// As an integer in the same order.
ulong ordered_number (double number)
{
  const ulong bits = as_ulong (number);
  return bits >> 63 ? ~bits : bits | 1ul << 63;
}

double number_of_ordered (ulong key)
{
  return as_double (key >> 63 ? key ^ 1ul << 63 : ~key);
}

// The network of group.cl.
void sort_in_group (global ulong *numbers, int n)
{
  for (int apart = 1; apart < n; apart *= 2)
    for (int less = apart; less > 0; less /= 2) {
      barrier (CLK_GLOBAL_MEM_FENCE);
      const int pairs = pairs_of (n, less);
      for (int p = ITEM; p < pairs; p += GROUP) {
        const int lower = lower_place (p, less), upper = upper_place (p, less, less == apart);
        if (upper < n && numbers[lower] > numbers[upper]) {
          const ulong a = numbers[lower];
          numbers[lower] = numbers[upper];
          numbers[upper] = a;
        }
      }
    }
  barrier (CLK_GLOBAL_MEM_FENCE);
}

#define LEAST_NOISE 1e-5 // below it, the line's rise is too small for a comparison

// Marks columns that stick out and those beside them. `raw`, `sorted`: room for a value of each column. Groups:
// sinograms.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
mark_stripes (Stack s, double snr, global const double *numbers, global ulong *sorted, global int *raw,
              global int *marks)
{
  local double sums[GROUP];
  local int count;
  const int n = columns_of_lane (s), first = get_group_id (0) * n;
  numbers += first;
  sorted += first;
  raw += first;
  marks += first;
  int finite = 0;
  for (int i = ITEM; i < n; i += GROUP) {
    const bool is = isfinite (numbers[i]);
    sorted[i] = is ? ordered_number (numbers[i]) : ULONG_MAX;
    marks[i] = !is;
    finite += is;
  }
  finite = count_in_group (finite, &count);
  sort_in_group (sorted, n);
  const int begin = finite / 4, end = finite - min (begin + 1, finite);
  if (end < begin + 2)
    return;
  const double all = end - begin, middle = ((double)(begin + end) - 1) / 2;
  double sum = 0;
  for (int i = begin + ITEM; i < end; i += GROUP)
    sum += number_of_ordered (sorted[i]) / all;
  const double mean = sum_in_group (sum, sums);
  sum = 0;
  for (int i = begin + ITEM; i < end; i += GROUP)
    sum += (i - middle) * (number_of_ordered (sorted[i]) - mean) * 12 / (all * (all * all - 1));
  const double rise = sum_in_group (sum, sums);
  const double low = mean - rise * middle, high = low + rise * ((double)finite - 1), noise = high - low;
  if (!(noise >= LEAST_NOISE))
    return;
  const bool above = number_of_ordered (sorted[finite - 1]) - high >= snr * noise;
  const bool below = low - number_of_ordered (sorted[0]) >= snr * noise;
  for (int i = ITEM; i < n; i += GROUP)
    raw[i] = marks[i] || (above && numbers[i] > high + noise * snr / 2) || (below && numbers[i] <= low - noise * snr / 2);
  barrier (CLK_GLOBAL_MEM_FENCE);
  for (int i = ITEM; i < n; i += GROUP)
    marks[i] = raw[i] || (i > 0 && raw[i - 1]) || (i + 1 < n && raw[i + 1]);
}

#ifdef DEAD
#define BEFORE 5
#define WINDOW 10

// Deviations of a column from its means over ten angles, over some of its angles. Items: columns; parts of the angles;
// groups.
kernel void fluctuations (Stack s, global const float *in, ulong first, global double *parts)
{
  const int column = get_global_id (0), part = get_global_id (1), group = get_global_id (2);
  if (column >= s.columns)
    return;
  in += first + (size_t)group * s.angles * s.columns + column;
  const int begin = part * ANGLES, end = min (begin + ANGLES, s.angles);
#define AT(angle) ((double)in[(size_t)mirrored (angle, s.angles) * s.columns])
  double window = 0, sum = 0;
  for (int a = begin - BEFORE; a < begin + WINDOW - BEFORE; a++)
    window += AT (a);
  for (int a = begin; a < end; a++) {
    sum += fabs (AT (a) - window / WINDOW);
    window += AT (a + WINDOW - BEFORE) - AT (a - BEFORE);
  }
  parts[((size_t)part * s.groups + group) * s.columns + column] = sum;
}

// Items: columns of all groups.
kernel void add_parts (Stack s, global const double *parts, int number, global double *sums)
{
  const int column = get_global_id (0), columns = s.columns * s.groups;
  if (column >= columns)
    return;
  double sum = 0;
  for (int part = 0; part < number; part++)
    sum += parts[(size_t)part * columns + column];
  sums[number_of (s, column)] = isfinite (sum) ? sum : INFINITY;
}

// Medians of the numbers around each. Items: columns of all groups.
kernel void usual_numbers (Stack s, int size, global const double *numbers, global double *usual)
{
  const int number = get_global_id (0), columns = columns_of_lane (s);
  if (number >= s.columns * s.groups)
    return;
  numbers += number / columns * columns;
  const int here = number % columns, reach = size / 2;
  ulong found = 0;
  for (ulong bit = 1ul << 63; bit > 0; bit >>= 1) {
    int below = 0;
    for (int i = here - reach; i <= here + reach; i++)
      below += ordered_number (numbers[mirrored (i, columns)]) < (found | bit);
    if (below <= reach)
      found |= bit;
  }
  usual[number] = number_of_ordered (found);
}

// Divides numbers by the usual ones, or by the mean of these. Groups: sinograms.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
divide_by_usual (Stack s, global double *numbers, global const double *usual)
{
  local double sums[GROUP];
  const int n = columns_of_lane (s), first = get_group_id (0) * n;
  numbers += first;
  usual += first;
  double sum = 0;
  for (int i = ITEM; i < n; i += GROUP)
    sum += usual[i] / n;
  const double mean = sum_in_group (sum, sums);
  for (int i = ITEM; i < n; i += GROUP) {
    const double by = usual[i] == 0 ? mean : usual[i];
    numbers[i] = by == 0 ? 1 : numbers[i] / by; // 0: nothing changes with the angle
  }
}

// Bridges over marked columns, unless they are a third of all. Groups: sinograms.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
bridge_marked (Stack s, global int *marks, global Bridge *bridges)
{
  local int count, lefts[GROUP], rights[GROUP];
  const int n = columns_of_lane (s), first = get_group_id (0) * n;
  marks += first;
  int dead = 0;
  for (int i = ITEM; i < n; i += GROUP) {
    if (i < 2 || i >= n - 2)
      marks[i] = 0;
    dead += marks[i];
  }
  const bool none = count_in_group (dead, &count) >= n / 3;
  barrier (CLK_GLOBAL_MEM_FENCE);
  // Each item goes through neighbouring columns once, backward and forward, so a long gap costs no more than a short one.
  const int share = (n + GROUP - 1) / GROUP, begin = min (ITEM * share, n), end = min (begin + share, n);
  int left = -1, right = n;
  for (int i = begin; i < end; i++)
    if (!marks[i]) {
      left = i;
      right = min (right, i);
    }
  lefts[ITEM] = left;
  rights[ITEM] = right;
  barrier (CLK_LOCAL_MEM_FENCE);
  left = -1, right = n;
  for (int other = ITEM - 1; other >= 0 && left < 0; other--)
    left = lefts[other];
  for (int other = ITEM + 1; other < GROUP && right == n; other++)
    right = rights[other];
  const int lane = get_group_id (0) % s.lanes;
  for (int i = end - 1; i >= begin; i--) {
    right = marks[i] ? right : i;
    bridges[column_of (s, first + i)].right = marks[i] && !none ? right * s.lanes + lane : -1;
  }
  for (int i = begin; i < end; i++) {
    left = marks[i] ? left : i;
    Bridge bridge = {-1, bridges[column_of (s, first + i)].right, 0};
    if (bridge.right >= 0) {
      bridge.left = left * s.lanes + lane;
      bridge.share = (float)(i - left) / (float)(bridge.right / s.lanes - left);
    }
    bridges[column_of (s, first + i)] = bridge;
  }
}
#endif // DEAD

#ifdef LARGE
// The mean of a column divided by that of its smooth copy, without `dropped` values at either end. Groups: columns.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
mean_ratios (Stack s, int dropped, global const int *keys, global const int *smooth, ulong first, global double *ratios)
{
  local double sums[GROUP];
  const size_t at = (size_t)get_group_id (0) * s.angles;
  double mean = 0, usual = 0;
  for (int rank = dropped + ITEM; rank < s.angles - dropped; rank += GROUP) {
    mean += (double)value_of (keys[at + rank]);
    usual += (double)value_of (smooth[first + at + rank]);
  }
  const double all = s.angles - 2 * dropped;
  mean = sum_in_group (mean, sums) / all;
  usual = sum_in_group (usual, sums) / all;
  if (ITEM == 0)
    ratios[number_of (s, get_group_id (0))] = usual != 0 ? mean / usual : 1;
}

// Divides columns by their ratio. Those that are marked, or have a ratio that no gain has, become smooth. Groups:
// columns; parts of their ranks.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
divide_columns (Stack s, global const double *ratios, global const int *marks, global int *keys, global int *smooth, ulong first, int in_smooth)
{
  const int rank = get_group_id (1) * GROUP + ITEM;
  if (rank >= s.angles)
    return;
  const size_t at = (size_t)get_group_id (0) * s.angles + rank;
  const int number = number_of (s, get_group_id (0));
  const double ratio = ratios[number];
  const int key = ratio > 0 && !marks[number] ? key_of (over (value_of (keys[at]), (float)ratio)) : smooth[first + at];
  if (in_smooth)
    smooth[first + at] = key;
  else
    keys[at] = key;
}
#endif // LARGE
