// SPDX-License-Identifier: LGPL-3.0-or-later
// Values of any element type as floats, exactly, and how a group counts. OpenCL C 1.2.
//
//   -DIN=type  uchar, ushort, half or float; -DHALF with half
//
// Devices round alike only if a product and a sum become one only where the source says so.
#pragma OPENCL FP_CONTRACT OFF

#ifdef HALF
#define VALUE(in, i) vload_half (i, in)
#else
#define VALUE(in, i) ((float)(in)[i])
#endif

// Adds what the work-items of a group (N x 1 x 1) counted to 64 bits, the lower half first. All of them call it.
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
