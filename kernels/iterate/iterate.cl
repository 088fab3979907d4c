// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterations for several pairs of slices at once: stack.hpp defines the computation. The slices 2 i and 2 i + 1 are the
// real and imaginary parts of an image, [pair][row][column], of LENGTH x LENGTH values. A stage is one launch:
//
//   TV:    lay_duals, convolve (z0), convolve (z1), lay_gradient, divide, update
//   CGLS:  lay, convolve (z0), convolve (z1), take_product, step_along, turn
//
// fft/line.cl and fft/filter.cl have the transforms and their options. Stages of rows have ROWS rows in a group, those
// of columns COLUMNS columns. OpenCL C 1.2.
//
//   -DROWS=n        rows of a group
//   -DTOGETHER=n    columns that lie side by side between rows and columns; 4 are 32 bytes, a sector of memory
//   -DCOLUMNS=n     columns of a group, at most TOGETHER
//   -DBESIDE=n      floats of local memory from a column to the next
#pragma OPENCL FP_CONTRACT OFF

#include "../fft/line.cl"
#include "../fft/filter.cl"
#include "../fourier-reconstruct/places.cl"
#include "lines.cl"
#include "sums.cl"
#include "columns.cl"
#include "tv.cl"
#include "cgls.cl"
#include "images.cl"
#include "sinograms.cl"
