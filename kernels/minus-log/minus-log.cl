// SPDX-License-Identifier: LGPL-3.0-or-later
// Transmission to attenuation, as the native kernel has it. OpenCL C 1.2.
//
//   -DIN=type, -DHALF  as values.cl has it
#include "../point/values.cl"
#include "../point/logarithm.cl"

// In the last group of lanes, from value `full` on, `rows` of `lanes` are there; zeros stay in the others.
kernel void minus_log (global const IN *in, ulong values, ulong full, int lanes, int rows, global float *out,
                       global uint *limited, float air, float least)
{
  const size_t i = get_global_id (0);
  uint low = 0;
  if (i < values) {
    float result = 0;
    if (i < full || (i - full) % lanes < rows) {
      const float transmission = VALUE (in, i) / air;
      low = transmission < least;
      // NaN and infinity keep what they are.
      result = -(low || isfinite (transmission) ? logarithm (low ? least : transmission) : transmission);
    }
    out[i] = result;
  }
  local uint sum;
  count (low, &sum, limited);
}
