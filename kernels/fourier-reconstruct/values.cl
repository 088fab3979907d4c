// SPDX-License-Identifier: LGPL-3.0-or-later
// Values of the slices processed at once: complex numbers, each with two slices.
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

// Type of stored terms.
#ifdef HALVES
typedef half Held;
#else
typedef float Held;
#endif

// Factors for the terms of a pair of slices: x before they are stored, y afterwards. Powers of two.
float2 scale_of (global const float2 *scales, int pair)
{
#ifdef HALVES
  return scales[pair];
#else
  return 1;
#endif
}

Value term_at (global const Held *terms, size_t number)
{
#ifndef HALVES
  return ((global const Value *)terms)[number];
#elif SLICES == 2
  return vloada_half2 (number, terms);
#elif SLICES == 4
  return vloada_half4 (number, terms);
#elif SLICES == 8
  return vloada_half8 (number, terms);
#else
  return vloada_half16 (number, terms);
#endif
}

void keep_term (Value value, global Held *terms, size_t number)
{
#ifndef HALVES
  ((global Value *)terms)[number] = value;
#elif SLICES == 2
  vstorea_half2_rte (value, number, terms);
#elif SLICES == 4
  vstorea_half4_rte (value, number, terms);
#elif SLICES == 8
  vstorea_half8_rte (value, number, terms);
#else
  vstorea_half16_rte (value, number, terms);
#endif
}

// Sums must have the same bits for any number of slices at once, so the compiler must not choose where to fuse.
#pragma OPENCL FP_CONTRACT OFF

#define FRACTION 40 // bits after the binary point of a Ray's steps in cells
#define POSITION 22 // bits after the binary point of a term's position in cells

// Steps of a ray per term along both directions of the grid, in units of 2^-FRACTION of a cell, and terms per cell.
// `turn`: phase from one term to the next, in units of 2^-64 of a turn.
typedef struct {
  long x, y;
  ulong turn;
  float inverse_x, inverse_y;
  float weight, unused;
} Ray;
