// SPDX-License-Identifier: LGPL-3.0-or-later
// The values of the slices that are worked on at once: complex numbers, each of two slices.
#if SLICES == 2
typedef float2 Value;
#elif SLICES == 4
typedef float4 Value;
#elif SLICES == 8
typedef float8 Value;
#else
typedef float16 Value;
#endif
#define PAIRS (SLICES / 2)

typedef union {
  Value all;
  float2 pairs[PAIRS];
  float lanes[SLICES];
} Lanes;

// Sums have the same bits for any number of slices at once: the compiler may not choose where to fuse.
#pragma OPENCL FP_CONTRACT OFF

#define FRACTION 40 // of a cell, in a Ray's steps
#define POSITION 22 // of a cell, in the position of a term

// A ray's steps per term along both directions of the grid, in units of 2^-FRACTION of a cell, and the terms per cell;
// what a term turns by towards the next, in units of 2^-64 of a turn.
typedef struct {
  long x, y;
  ulong turn;
  float inverse_x, inverse_y;
  float weight, unused;
} Ray;
