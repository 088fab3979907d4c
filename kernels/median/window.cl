// SPDX-License-Identifier: LGPL-3.0-or-later
// The median of SIZE values along the frames (ALONG_FRAMES) or lines (ALONG_LINES), or of SIZE x SIZE around (lines and
// columns). Values are compared as integers in the same order (keys), so that all devices give the same bits: NaN is
// the greatest and is left out of the window, -0 comes before 0. BITS: size of a value; FLOATS: whether values are
// floats. OpenCL C 1.2.
#if BITS == 32
#define IN uint
#elif BITS == 16
#define IN ushort
#else
#define IN uchar
#endif
#include "../neighbours/neighbours.cl"

#if FLOATS
#define SIGN (1u << (BITS - 1))
#define INFINITE (BITS == 32 ? 0x7f800000u : 0x7c00u)
#define QUIET_NAN (BITS == 32 ? 0x7fc00000u : 0x7e00u)
#define NAN_KEY (SIGN | (SIGN - 1))
#endif

inline uint key_of (uint bits)
{
#if FLOATS
  return (bits & (SIGN - 1)) > INFINITE ? NAN_KEY : bits & SIGN ? bits ^ NAN_KEY : bits | SIGN;
#else
  return bits;
#endif
}

inline IN value_of (uint key)
{
#if FLOATS
  return key & SIGN ? key ^ SIGN : key ^ NAN_KEY;
#else
  return key;
#endif
}

#ifdef ALONG_FRAMES
#define FRAMES SIZE
#else
#define FRAMES 1
#endif
#if defined(ALONG_FRAMES)
#define LINES 1
#else
#define LINES SIZE
#endif
#if defined(ALONG_FRAMES) || defined(ALONG_LINES)
#define COLUMNS 1
#else
#define COLUMNS SIZE
#endif
#define VALUES_IN (FRAMES * LINES * COLUMNS)

inline uint key_at (Neighbours n, global const IN *block, global const IN *kept, Spot s, int i)
{
  const int frame = s.frame + i / (LINES * COLUMNS) - FRAMES / 2, line = s.line + i / COLUMNS % LINES - LINES / 2;
  return key_of (line_at (n, block, kept, frame, line)[x_at (n, s.x, i % COLUMNS - COLUMNS / 2)]);
}

// Bisection: halves the interval that contains the median, by counting the keys up to its middle.
inline IN bisected (Neighbours n, global const IN *block, global const IN *kept, Spot s)
{
  int valid = VALUES_IN;
#if FLOATS
  for (int i = 0; i < VALUES_IN; i++)
    valid -= key_at (n, block, kept, s, i) == NAN_KEY;
  if (valid == 0)
    return QUIET_NAN;
#endif
  const int before = (valid - 1) / 2;
  uint low = 0, high = UINT_MAX >> (32 - BITS);
  while (low < high) {
    const uint middle = low + (high - low) / 2;
    int count = 0;
    for (int i = 0; i < VALUES_IN; i++)
      count += key_at (n, block, kept, s, i) <= middle;
    if (count > before)
      high = middle;
    else
      low = middle + 1;
  }
  return value_of (low);
}

#ifdef SELECT
// Keeps half of the values in registers: their least and greatest cannot be the median, and are replaced by the next
// values.
inline IN selected (Neighbours n, global const IN *block, global const IN *kept, Spot s)
{
  enum { held = VALUES_IN / 2 + 2 };
  uint key[held];
  bool nan = false;
#pragma unroll
  for (int i = 0; i < held; i++) {
    key[i] = key_at (n, block, kept, s, i);
#if FLOATS
    nan |= key[i] == NAN_KEY;
#endif
  }
#pragma unroll
  for (int m = held; m > 2; m--) {
#pragma unroll
    for (int i = 1; i < m; i++) {
      const uint a = key[0], b = key[i];
      key[0] = min (a, b);
      key[i] = max (a, b);
    }
#pragma unroll
    for (int i = 1; i < m - 1; i++) {
      const uint a = key[i], b = key[m - 1];
      key[i] = min (a, b);
      key[m - 1] = max (a, b);
    }
    if (m > 3) {
      key[0] = key_at (n, block, kept, s, 2 * held - m);
#if FLOATS
      nan |= key[0] == NAN_KEY;
#endif
    }
  }
  return nan ? bisected (n, block, kept, s) : value_of (key[1]);
}
#endif

inline IN median_around (Neighbours n, global const IN *block, global const IN *kept, Spot s)
{
#ifdef SELECT
  return selected (n, block, kept, s);
#else
  return bisected (n, block, kept, s);
#endif
}
