// SPDX-License-Identifier: LGPL-3.0-or-later
// All kernels of remove-stripes, for whole sinograms that lie on the device with any lanes.
//
//   -DOFFSETS, -DRANKS or -DWAVELETS  kernels of `offset`, of methods that sort columns, or of `wavelet-fourier`
//   -DDEAD, -DLARGE                   kernels for dead columns, and for large stripes
//   -DGROUP=n    work-items that sort a column, or look at the columns of a sinogram: a power of two
//   -DSEGMENT=n  columns over which a work-item slides its window
//   -DANGLES=n   angles of which a work-item adds up the fluctuations
#include "keys.cl"
#include "group.cl"
#ifdef RANKS
#include "columns.cl"
#include "sort.cl"
#endif
#ifndef WAVELETS
#include "medians.cl"
#else
#include "wavelet.cl"
#endif
#ifdef OFFSETS
#include "offsets.cl"
#endif
#if defined(DEAD) || defined(LARGE)
#include "detect.cl"
#endif

// The values that the first sinogram of a block has lost, over every `step`-th angle. Items: its columns.
kernel void taken (Stack s, global const float *in, global const float *out, int step, int place, global double *sums)
{
  const int column = get_global_id (0), columns = columns_of_lane (s);
  if (column >= columns)
    return;
  double sum = 0;
  for (int a = 0; a < s.angles; a += step) {
    const size_t i = (size_t)a * s.columns + column * s.lanes;
    sum += (double)in[i] - (double)out[i];
  }
  sums[place * columns + column] = sum;
}
