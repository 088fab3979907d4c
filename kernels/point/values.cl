// SPDX-License-Identifier: LGPL-3.0-or-later
// Loads values of any element type as floats, exactly, and counts in groups. OpenCL C 1.2.
//
//   -DIN=type  uchar, ushort, half or float; -DHALF with half
//
// Multiplications and additions are fused only where the source says so; otherwise devices would round differently.
#pragma OPENCL FP_CONTRACT OFF

#ifdef HALF
#define VALUE(in, i) vload_half (i, in)
#else
#define VALUE(in, i) ((float)(in)[i])
#endif

// Adds the counts of a group's work-items (N x 1 x 1) to a 64-bit counter, lower half first. All work-items must call
// it.
inline void count (uint mine, local uint *sum, global uint *counter)
{
  if (get_local_id (0) == 0)
    *sum = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (mine > 0)
    atomic_add (sum, mine);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0 && *sum > 0 && atomic_add (counter, *sum) > UINT_MAX - *sum)
    atomic_inc (counter + 1);
}
