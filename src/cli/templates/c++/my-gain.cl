// SPDX-License-Identifier: LGPL-3.0-or-later
// Multiplies values, VALUES of them by a work-item. There may be more work-items than values.
#ifndef VALUES
#define VALUES 1
#endif

kernel void my_gain_values (global const float *in, ulong values, global float *out, float factor)
{
  const ulong first = get_global_id (0) * VALUES, end = min (values, first + VALUES);
  for (ulong i = first; i < end; i++)
    out[i] = factor * in[i];
}
