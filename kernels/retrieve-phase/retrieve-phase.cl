// SPDX-License-Identifier: LGPL-3.0-or-later
// Phase retrieval: filters images in both frequencies, [image][row][column] of transmission. Padding exists only while
// a line is transformed. Rows are real, so only their frequencies 0 ... M are kept, M = half the width with padding;
// each of them is a column, which is transformed, multiplied by a real factor, and transformed back. OpenCL C 1.2.
//
// The program is one of three: with LENGTH and COLUMNS the stage of columns with our own transforms, with LENGTH alone
// the stages of rows, else the steps around clFFT's transforms.
#include "values.cl"
#if defined(LENGTH) && defined(OF_COLUMNS)
#define FACTOR_AT(k) min (k, LENGTH - (k)) // factors are equal for both signs of a frequency
#endif
#ifdef LENGTH
#include "../fft/line.cl"
#include "../fft/filter.cl"
#include "lines.cl"
#else
#include "steps.cl"
#endif
