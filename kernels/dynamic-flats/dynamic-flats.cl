// SPDX-License-Identifier: LGPL-3.0-or-later
// Removes from projections the difference between their own flat and the mean flat. OpenCL C 1.2.
//
//   -DIN=type  as values.cl has it
#include "../point/values.cl"

// Images of the block have `rows` rows. `beam`: the mean dark, then the components, an image of the block each.
// `weights`: of all components, for each projection from number 0 on; `first`: the first one of the block.
kernel void dynamic_flats (global const IN *in, int columns, int rows, global const float *beam, int components,
                           global const float *weights, int first, global float *out)
{
  const int x = get_global_id (0), y = get_global_id (1);
  if (x >= columns)
    return;
  const size_t i = (size_t)y * columns + x, plane = (size_t)rows * columns;
  const int image = y / rows;
  const size_t pixel = i - image * plane;
  weights += (size_t)(first + image) * components;
  float change = 1;
  for (int k = 0; k < components; k++)
    change += weights[k] * beam[(k + 1) * plane + pixel];
  // Limited so that the division cannot blow up values.
  change = change < 0.25f ? 0.25f : change > 4 ? 4 : change;
  out[i] = beam[pixel] + (VALUE (in, i) - beam[pixel]) / change;
}
