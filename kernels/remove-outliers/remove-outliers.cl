// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces values by the median of the window around them where they differ from it, and counts them. All other numbers
// keep their bits; each NaN gets those that it has as a key, as on CPUs. OpenCL C 1.2.
//
//   -DBITS=n, -DFLOATS=n ...  as window.cl has it
#include "../median/window.cl"
#include "../point/values.cl"

inline float number_of (IN bits)
{
#if FLOATS && BITS == 32
  return as_float (bits);
#elif FLOATS
  return vload_half (0, (const half *)&bits);
#else
  return bits;
#endif
}

// `side`: 0: values above the median; 1: below; 2: both. NaN never differs.
kernel void remove_outliers (global const IN *block, global const IN *kept, Neighbours n, global IN *out,
                             global uint *replaced, float threshold, int side)
{
  const Spot s = spot (n);
  uint outliers = 0;
  if (s.x < n.width) {
    const IN median = median_around (n, block, kept, s);
    const IN own = value_of (key_of (line_at (n, block, kept, s.frame, s.line)[s.x]));
    const float above = number_of (own) - number_of (median);
    outliers = (side == 0 ? above : side == 1 ? -above : fabs (above)) > threshold;
    out[place_of (n, s)] = outliers ? median : own;
  }
  local uint sum;
  count (outliers, &sum, replaced);
}
