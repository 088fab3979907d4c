// SPDX-License-Identifier: LGPL-3.0-or-later
// Squares values, VALUES of them by a work-item. FAULT: as wrong as a driver may make it.
kernel void square (global const float *in, ulong values, global float *out)
{
#ifdef VALUES
  const ulong first = get_global_id (0) * VALUES, end = min (values, first + VALUES);
#else
  const ulong first = get_global_id (0), end = min (values, first + 1);
#endif
  for (ulong i = first; i < end; i++)
#ifdef FAULT
    out[i] = in[i] + in[i];
#else
    out[i] = in[i] * in[i];
#endif
}
