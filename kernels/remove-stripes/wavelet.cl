// SPDX-License-Identifier: LGPL-3.0-or-later
// Steps of a wavelet transform that keep only stripes: the definitions of wavelet.hpp, in the same order of sums. Planes
// are [group][angle][column] in one buffer, at the places `from`, `to` ... of it. Items: columns; some of the angles;
// groups.
//
// `table`: the low reconstruction filter with `size` taps, the high one, and the factors of each low-pass.

#define COLUMN ((int)get_global_id (0))
#define GROUP_OF_LANES ((int)get_global_id (2))
#define FOR_ANGLES(a, n) for (int a = get_global_id (1); a < (n); a += get_global_size (1))

// A line of a plane.
size_t line_of (Stack s, int angle)
{
  return ((size_t)GROUP_OF_LANES * s.angles + angle) * s.columns;
}

// Lines of sinograms in which the last finite value before replaces what is no number. Items: lanes of lines; 1; groups.
kernel void fill_gaps (Stack s, global const float *in, global float *out, ulong first, int bridged,
                       global const Bridge *bridges)
{
  const int lane = COLUMN % s.lanes, angle = COLUMN / s.lanes;
  if (angle >= s.angles)
    return;
  in += first + line_of (s, angle);
  out += first + line_of (s, angle);
  float last = 0;
  for (int c = lane; c < s.columns; c += s.lanes)
    if (isfinite (in[c])) {
      last = in[c];
      break;
    }
  for (int c = lane; c < s.columns; c += s.lanes) {
    float value = in[c];
    if (bridged && bridges[GROUP_OF_LANES * s.columns + c].left >= 0)
      value = across (bridges[GROUP_OF_LANES * s.columns + c], in);
    last = isfinite (value) ? value : last;
    out[c] = last;
  }
}

kernel void restore_gaps (Stack s, global const float *in, global float *out, ulong first, int bridged,
                          global const Bridge *bridges)
{
  if (COLUMN >= s.columns || (bridged && bridges[GROUP_OF_LANES * s.columns + COLUMN].left >= 0))
    return;
  FOR_ANGLES (a, s.angles)
  {
    const size_t at = first + line_of (s, a) + COLUMN;
    if (!isfinite (in[at]))
      out[at] = in[at];
  }
}

kernel void coarsen_angles (Stack finer, global const float *in, ulong from, Stack s, global float *levels, ulong to,
                            int size, global const float *table)
{
  if (COLUMN >= s.columns)
    return;
  in += from + COLUMN;
  FOR_ANGLES (a, s.angles)
  {
    float sum = 0;
    for (int j = 0; j < size; j++)
      sum += table[j] * in[line_of (finer, mirrored (2 * a + 2 - size + j, finer.angles))];
    levels[to + line_of (s, a) + COLUMN] = sum;
  }
}

kernel void split_columns (Stack finer, Stack s, global float *levels, ulong from, ulong coarse, ulong fine, int size,
                           global const float *table)
{
  const int lane = COLUMN % s.lanes, column = COLUMN / s.lanes;
  if (COLUMN >= s.columns)
    return;
  FOR_ANGLES (a, s.angles)
  {
    global const float *line = levels + from + line_of (finer, a) + lane;
    float low = 0, high = 0;
    for (int j = 0; j < size; j++) {
      const float value = line[mirrored (2 * column + 2 - size + j, columns_of_lane (finer)) * finer.lanes];
      low += table[j] * value;
      high += table[size + j] * value;
    }
    levels[coarse + line_of (s, a) + COLUMN] = low;
    levels[fine + line_of (s, a) + COLUMN] = high;
  }
}

// Back: lines of the finer plane.
kernel void join_columns (Stack s, Stack finer, global float *levels, ulong coarse, ulong fine, ulong to, int size,
                          int has_coarse, global const float *table)
{
  const int lane = COLUMN % s.lanes, column = COLUMN / s.lanes, reach = size - 2;
  if (COLUMN >= finer.columns)
    return;
  const int end = min (columns_of_lane (s), (column + reach) / 2 + 1);
  FOR_ANGLES (a, s.angles)
  {
    const size_t line = line_of (s, a) + lane;
    float sum = 0;
    for (int i = column / 2; i < end; i++) {
      const int tap = column + reach - 2 * i;
      if (has_coarse)
        sum += table[tap] * levels[coarse + line + i * s.lanes];
      sum += table[size + tap] * levels[fine + line + i * s.lanes];
    }
    levels[to + line_of (finer, a) + COLUMN] = sum;
  }
}

// Writes what the coarse half along angles gives, or subtracts it from what is there.
kernel void refine_angles (Stack s, global const float *levels, ulong from, Stack finer, global float *out, ulong to,
                           int size, int subtract, global const float *table)
{
  const int reach = size - 2;
  if (COLUMN >= finer.columns)
    return;
  FOR_ANGLES (a, finer.angles)
  {
    const size_t at = to + line_of (finer, a) + COLUMN;
    const int end = min (s.angles, (a + reach) / 2 + 1);
    float sum = subtract ? out[at] : 0;
    for (int i = a / 2; i < end; i++) {
      const float tap = table[a + reach - 2 * i];
      sum += (subtract ? -tap : tap) * levels[from + line_of (s, i) + COLUMN];
    }
    out[at] = sum;
  }
}

// --- low-pass filter along angles; factors: weights of `count` frequencies, cosines, sines ---

// [frequency][group][column]. Items: columns; frequencies; groups.
kernel void find_frequencies (Stack s, global const float *levels, ulong place, int count, ulong factors,
                              global const float *table, global float2 *found)
{
  const int k = get_global_id (1);
  if (COLUMN >= s.columns)
    return;
  global const float *cosines = table + factors + count, *sines = cosines + s.angles;
  levels += place + COLUMN;
  float2 sum = 0;
  uint turn = 0;
  for (int a = 0; a < s.angles; a++) {
    const float value = levels[line_of (s, a)];
    sum.x += cosines[turn] * value;
    sum.y += sines[turn] * value;
    turn += k;
    turn -= turn >= s.angles ? s.angles : 0;
  }
  found[((size_t)k * s.groups + GROUP_OF_LANES) * s.columns + COLUMN] = sum;
}

kernel void keep_frequencies (Stack s, global const float2 *found, int count, ulong factors, global const float *table,
                              global float *levels, ulong place)
{
  if (COLUMN >= s.columns)
    return;
  global const float *weights = table + factors, *cosines = weights + count, *sines = cosines + s.angles;
  FOR_ANGLES (a, s.angles)
  {
    float sum = 0;
    uint turn = 0;
    for (int k = 0; k < count; k++) {
      const float2 part = found[((size_t)k * s.groups + GROUP_OF_LANES) * s.columns + COLUMN];
      sum += weights[k] * cosines[turn] * part.x;
      sum += weights[k] * sines[turn] * part.y;
      turn += a;
      turn -= turn >= s.angles ? s.angles : 0;
    }
    levels[place + line_of (s, a) + COLUMN] = sum;
  }
}
