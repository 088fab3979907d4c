// SPDX-License-Identifier: LGPL-3.0-or-later
// The median of the window around each value. OpenCL C 1.2.
#include "window.cl"

kernel void median (global const IN *block, global const IN *kept, Neighbours n, global IN *out)
{
  const Spot s = spot (n);
  if (s.x < n.width)
    out[place_of (n, s)] = median_around (n, block, kept, s);
}
