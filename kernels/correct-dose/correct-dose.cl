// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects the dose of each projection. OpenCL C 1.2.
//
//   -DATTENUATION=n  1: doses are added; 0: values are multiplied by them
#include "../point/block-lines.cl"

// `doses`: of all angles of the stream; `first`: the first angle of the block.
kernel void correct_dose (global const float *in, BlockLines block, global const float *doses, int first,
                          global float *out)
{
  const int x = get_global_id (0), line = get_global_id (1);
  if (x >= block.width)
    return;
  const size_t i = (size_t)line * block.width + x;
  const float dose = doses[first + angle_of (block, line)];
#if ATTENUATION
  const float value = in[i] + dose;
#else
  const float value = in[i] * dose;
#endif
  out[i] = is_padding (block, line, x) ? 0 : value;
}
