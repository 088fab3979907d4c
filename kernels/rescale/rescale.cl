// SPDX-License-Identifier: LGPL-3.0-or-later
// Maps values between two limits to 0 to TOP, in float64 like the native kernel. OpenCL C 1.2, cl_khr_fp64.
//
//   -DIN=type, -DHALF  as values.cl has it
//   -DOUT=type -DTOP=n -DINTEGERS=n   uchar and 255, ushort and 65535, or float and 1; 1: integers
#include "../point/values.cl"
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// In the last group of lanes, which begins at value `full`, only `rows` of `lanes` lanes hold data; the others stay
// zero.
kernel void rescale (global const IN *in, ulong values, ulong full, int lanes, int rows, global OUT *out,
                     global uint *limited, double min, double max, double range)
{
  const size_t i = get_global_id (0);
  uint beyond = 0;
  if (i < values) {
    OUT result = 0;
    if (i < full || (i - full) % lanes < rows) {
      const double value = VALUE (in, i);
      const bool low = value < min, high = value > max;
      const double scaled = (value - min) * TOP / range, inside = low ? 0 : high ? TOP : scaled;
#if INTEGERS
      const bool number = value == value;
      result = (OUT)(int)rint (number ? inside : 0);
      beyond = low || high || !number;
#else
      result = (float)inside;
      beyond = low || high;
#endif
    }
    out[i] = result;
  }
  local uint sum;
  count (beyond, &sum, limited);
}
