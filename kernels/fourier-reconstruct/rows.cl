// SPDX-License-Identifier: LGPL-3.0-or-later
// Computes terms of rays from rows of sinograms. A launch processes some rays, beginning with ray `first`.

// Returns SLICES lanes of a bin, beginning with lane `lane`; lanes without a slice are 0.
Lanes bin_at (global const float *bins, size_t at, int lane, int slices)
{
  Lanes bin;
  bin.all = 0;
#if LANES == 1
  bin.lanes[0] = bins[at];
#else
  bin.all = ((global const Value *)bins)[(at * LANES + lane) / SLICES];
#endif
#pragma unroll // else the lanes would not be in registers
  for (int i = 0; i < SLICES; i++)
    if (i >= slices - lane)
      bin.lanes[i] = 0;
  return bin;
}

// Makes a line of `length` complex values for each ray and each pair of lanes, beginning with lane `lane`, from
// [ray][bin][LANES]. A value that is not finite would spoil both slices of a pair: it becomes 0, and `broken` marks its
// slice.
kernel void lay (global const float *bins, int size, int lane, int slices, int first, global float2 *lines, int length,
                 global int *broken)
{
  const int column = get_global_id (0);
  if (column >= length)
    return;
  const int ray = get_global_id (1);
#ifdef EDGE
  const int from = column < size ? column : column < size + (length - size) / 2 ? size - 1 : 0;
#else
  const int from = column;
#endif
  Lanes bin;
  bin.all = 0;
  if (from < size) {
    bin = bin_at (bins, (size_t)(first + ray) * size + from, lane, slices);
    if (!all (isfinite (bin.all)))
#pragma unroll
      for (int i = 0; i < SLICES; i++)
        if (!isfinite (bin.lanes[i])) {
          bin.lanes[i] = 0;
          atomic_or (broken + i, 1);
        }
  }
  for (int pair = 0; pair < PAIRS; pair++)
    lines[(size_t)(ray * PAIRS + pair) * length + column] = bin.pairs[pair];
}

// Finds the largest finite absolute value of each slice, beginning with lane `lane`, as bits of floats, which have the
// same order as their values; `largest` must be 0 before. `count`: number of bins of all rays.
kernel void find_largest (global const float *bins, ulong count, int lane, int slices, global int *largest)
{
  Lanes most;
  most.all = 0;
  for (size_t i = get_global_id (0); i < count; i += get_global_size (0)) {
    const Lanes bin = bin_at (bins, i, lane, slices);
    const Value size = fabs (bin.all);
    most.all = fmax (most.all, isfinite (size) ? size : 0);
  }
#pragma unroll
  for (int i = 0; i < SLICES; i++)
    if (most.lanes[i] > 0)
      atomic_max (largest + i / 2, as_int (most.lanes[i]));
}

// Scales of pairs of slices, and their inverses. Terms of values below 1 are below 2^exponent; see gridding.hpp.
kernel void find_scales (global const int *largest, int exponent, global float2 *scales)
{
  const int pair = get_global_id (0);
  const float value = as_float (largest[pair]);
  const int scale = value > 0 ? clamp (15 - exponent - (ilogb (value) + 1), -100, 100) : 0;
  scales[pair] = (float2)(ldexp (1.0f, scale), ldexp (1.0f, -scale));
}

// e^(2 pi i k turn / 2^64): integer overflow drops whole turns.
float2 turned (long k, ulong turn)
{
  const float half_turns = (float)(int)(uint)(((ulong)k * turn) >> 32) * 0x1p-31f;
  return (float2)(cospi (half_turns), sinpi (half_turns));
}

float2 product (float2 a, float2 b)
{
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Computes [ray][length + 1] terms, k = -length/2 ... length/2, from lines of transformed rows. response: [ray][stride];
// stride 0: the same for all rays.
kernel void weigh (global const float2 *lines, int length, int first, global const Ray *rays,
                   global const float *response, int stride, global Held *terms, global const float2 *scales)
{
  const int term = get_global_id (0);
  if (term > length)
    return;
  const int line = get_global_id (1), ray = first + line;
  const int k = term - length / 2;
  const float2 factor = response[(size_t)ray * stride + abs (k)] * rays[ray].weight * turned (k, rays[ray].turn);
  lines += (size_t)line * PAIRS * length + (k < 0 ? k + length : k);
  Lanes value;
  for (int pair = 0; pair < PAIRS; pair++)
    value.pairs[pair] = product (lines[(size_t)pair * length], factor) * scale_of (scales, pair).x;
  keep_term (value.all, terms, (size_t)ray * (length + 1) + term);
}
