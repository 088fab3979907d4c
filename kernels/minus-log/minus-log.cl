// SPDX-License-Identifier: LGPL-3.0-or-later
// Transmission to attenuation, like the native kernel. OpenCL C 1.2.
//
//   -DIN=type, -DHALF  as values.cl has it
#include "../point/values.cl"
#include "../point/logarithm.cl"

// In the last group of lanes, which begins at value `full`, only `rows` of `lanes` lanes hold data; the others stay
// zero.
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
      // NaN and infinity are kept.
      result = -(low || isfinite (transmission) ? logarithm (low ? least : transmission) : transmission);
    }
    out[i] = result;
  }
  local uint sum;
  count (low, &sum, limited);
}
