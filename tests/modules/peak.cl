// SPDX-License-Identifier: LGPL-3.0-or-later
// The greatest of 3 x 3 x 3 values; behind kernels/neighbours/neighbours.cl.
kernel void peak (global const IN *block, global const IN *kept, Neighbours n, global float *out)
{
  const Spot s = spot (n);
  if (s.x >= n.width)
    return;
  float most = -INFINITY;
  for (int frame = -1; frame <= 1; frame++)
    for (int line = -1; line <= 1; line++)
      for (int column = -1; column <= 1; column++)
        most = fmax (most, line_at (n, block, kept, s.frame + frame, s.line + line)[x_at (n, s.x, column)]);
  out[place_of (n, s)] = most;
}
