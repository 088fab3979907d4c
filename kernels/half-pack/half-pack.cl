// SPDX-License-Identifier: LGPL-3.0-or-later
// Rounds values to the nearest IEEE halves, ties to even; NaN becomes the quiet NaN with its sign, as in the native
// kernel. `overflows` counts finite values that become infinite, in 64 bits with the lower half first. OpenCL C 1.2.

kernel void half_pack (global const float *values, ulong n, global ushort *halves, global uint *overflows)
{
  const size_t i = get_global_id (0);
  if (i >= n)
    return;
  const float value = values[i];
  if (isnan (value)) {
    halves[i] = signbit (value) ? 0xfe00 : 0x7e00;
    return;
  }
  vstore_half_rte (value, i, (global half *)halves);
  // 65520 is half-way between the largest half and the next power of two.
  if (fabs (value) >= 65520 && !isinf (value) && atomic_inc (overflows) == UINT_MAX)
    atomic_inc (overflows + 1);
}
