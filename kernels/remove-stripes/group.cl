// SPDX-License-Identifier: LGPL-3.0-or-later
// All work-items of a group together: sums, and a network that sorts.

#define ITEM ((int)get_local_id (0))

double sum_in_group (double mine, local double *sums)
{
  barrier (CLK_LOCAL_MEM_FENCE);
  sums[ITEM] = mine;
  for (int left = GROUP / 2; left > 0; left /= 2) {
    barrier (CLK_LOCAL_MEM_FENCE);
    if (ITEM < left)
      sums[ITEM] += sums[ITEM + left];
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  return sums[0];
}

int count_in_group (int mine, local int *count)
{
  barrier (CLK_LOCAL_MEM_FENCE);
  if (ITEM == 0)
    *count = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  atomic_add (count, mine);
  barrier (CLK_LOCAL_MEM_FENCE);
  return *count;
}

// --- the bitonic network of K. E. Batcher (AFIPS Spring Joint Computer Conference 32, 1968, 307) ---
//
// The lesser one always goes to the lower place. So any number of keys is sorted as if greater ones followed them: a
// comparison with a place beyond the end does nothing.

// The lower place of pair `p`. In the first step of a merge, pairs are symmetric about the middle of 2 * apart places;
// in later steps their places are `apart` apart, a power of two.
int lower_place (int p, int apart)
{
  return p + (p & -apart);
}

int upper_place (int p, int apart, bool first_step)
{
  return first_step ? 2 * (p & -apart) + 2 * apart - 1 - (p & (apart - 1)) : lower_place (p, apart) + apart;
}

// Number of pairs of n places.
int pairs_of (int n, int apart)
{
  return ((n + 2 * apart - 1) & -(2 * apart)) / 2;
}
