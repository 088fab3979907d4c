// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums over images, always in the same order: of the values of a work-item, of the work-items of a row, and of rows.
// Each has two lanes, of the two slices of a pair.

// The sum of a row's work-items, for item 0; others get 0.
float2 sum_of_row (float2 value, int item, local float *line)
{
  barrier (CLK_LOCAL_MEM_FENCE); // until all have read what is there
  line[item] = value.x;
  line[ITEMS + item] = value.y;
  for (int left = ITEMS; left > 1; left = (left + 1) / 2) {
    const int upper = (left + 1) / 2;
    barrier (CLK_LOCAL_MEM_FENCE);
    if (item + upper < left) {
      line[item] += line[item + upper];
      line[ITEMS + item] += line[ITEMS + item + upper];
    }
  }
  return item == 0 ? (float2)(line[0], line[ITEMS]) : (float2)(0);
}

// A sum and what was lost of it by rounding (D. E. Knuth, The Art of Computer Programming 2, 4.2.2).
typedef struct {
  float2 sum, lost;
} Exact;

Exact add_exactly (Exact to, float2 value)
{
  const float2 sum = to.sum + value, other = sum - to.sum;
  to.lost += (to.sum - (sum - other)) + (value - other);
  to.sum = sum;
  return to;
}

#define ADDERS 64 // work-items that add the rows of a pair

// Adds [sum][pair][row] up to [sum][pair] sums with what they lost. Groups: sums times pairs.
kernel __attribute__ ((reqd_work_group_size (ADDERS, 1, 1))) void
add_rows (global const float2 *rows, global float4 *totals)
{
  local float2 sums[ADDERS], losses[ADDERS];
  const int item = get_local_id (0), number = get_group_id (0);
  Exact all = {(float2)(0), (float2)(0)};
  for (int row = item; row < LENGTH; row += ADDERS)
    all = add_exactly (all, rows[(size_t)number * LENGTH + row]);
  sums[item] = all.sum;
  losses[item] = all.lost;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item > 0)
    return;
  for (int i = 1; i < ADDERS; i++) {
    all = add_exactly (all, sums[i]);
    all.lost += losses[i];
  }
  totals[number] = (float4)(all.sum, all.lost);
}
