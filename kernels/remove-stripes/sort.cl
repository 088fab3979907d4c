// SPDX-License-Identifier: LGPL-3.0-or-later
// Sorts columns by value, and equal values by angle, with the network of group.cl.
//
// Runs of up to `most` keys are sorted in local memory, then merged in global memory while the compared places are far
// apart.

void compare_in_run (local ulong *run, int n, int apart, bool first_step)
{
  barrier (CLK_LOCAL_MEM_FENCE);
  const int pairs = pairs_of (n, apart);
  for (int p = get_local_id (0); p < pairs; p += GROUP) {
    const int lower = lower_place (p, apart), upper = upper_place (p, apart, first_step);
    if (upper < n) {
      const ulong a = run[lower], b = run[upper];
      if (a > b) {
        run[lower] = b;
        run[upper] = a;
      }
    }
  }
}

// Sorts runs (fresh), or merges within them what is nearly in order. Groups: columns; runs.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
sort_runs (Stack s, global int *keys, global ushort *order, int most, int fresh, local ulong *run)
{
  const int begin = get_group_id (1) * most, n = min (most, s.angles - begin);
  const size_t at = (size_t)get_group_id (0) * s.angles + begin;
  for (int i = get_local_id (0); i < n; i += GROUP)
    run[i] = (ulong)((uint)keys[at + i] ^ 0x80000000u) << 32 | (uint)(fresh ? begin + i : order[at + i]);
  if (fresh)
    for (int apart = 1; apart < n; apart *= 2) {
      compare_in_run (run, n, apart, true);
      for (int less = apart / 2; less > 0; less /= 2)
        compare_in_run (run, n, less, false);
    }
  else
    for (int less = most / 2; less > 0; less /= 2)
      compare_in_run (run, n, less, false);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id (0); i < n; i += GROUP) {
    keys[at + i] = (int)((uint)(run[i] >> 32) ^ 0x80000000u);
    order[at + i] = (ushort)run[i];
  }
}

// One step of a merge whose places are far apart. Groups: columns; pairs.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
compare_far (Stack s, global int *keys, global ushort *order, int apart, int first_step)
{
  const int p = get_group_id (1) * GROUP + get_local_id (0);
  const int lower = lower_place (p, apart), upper = upper_place (p, apart, first_step);
  if (upper >= s.angles)
    return;
  const size_t at = (size_t)get_group_id (0) * s.angles;
  const int a = keys[at + lower], b = keys[at + upper];
  const ushort a_angle = order[at + lower], b_angle = order[at + upper];
  if (a > b || (a == b && a_angle > b_angle)) {
    keys[at + lower] = b;
    keys[at + upper] = a;
    order[at + lower] = b_angle;
    order[at + upper] = a_angle;
  }
}

// The order of angles again. Groups: columns; parts of their ranks.
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
restore_order (Stack s, global const int *keys, ulong first, global const ushort *order, global int *by_angle)
{
  const int rank = get_group_id (1) * GROUP + get_local_id (0);
  const size_t at = (size_t)get_group_id (0) * s.angles;
  if (rank < s.angles)
    by_angle[at + order[at + rank]] = keys[first + at + rank];
}
