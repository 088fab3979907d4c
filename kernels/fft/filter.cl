// SPDX-License-Identifier: LGPL-3.0-or-later
// Several transforms of a line in one kernel, after line.cl. A transform of the other sign is one between swapped real
// and imaginary parts.
//
//   FACTOR_AT (k)   index of the factor of frequency k in the table of filter_line (); k if it is not defined

#ifndef FACTOR_AT
#define FACTOR_AT(k) (k)
#endif

// Loops over transforms stay loops, so that code fits in the cache and is compiled soon.
#define ROLLED _Pragma ("unroll 1")

// The same work-item, of which compilers do not know that it is the same. Otherwise they keep factors and addresses of
// one transform in registers for the next, and these are not enough. (Launches have no offset along lines.)
int hidden (int item, int transform)
{
  return item + transform * (int)get_global_offset (1);
}

// Where value i of a work-item is in the line, before a step of this radix or after the last; LENGTH: there is none.
int index_of (int i, const int radix, int item)
{
  const int number = item + i / radix * ITEMS;
  return number < COUNT (radix) ? number + i % radix * COUNT (radix) : LENGTH;
}

// Brings values from the order after the last step to that before the first.
void begin_again (float2 *x, int item, local float *line)
{
#if LAST != R0
  exchange (x, LAST, LENGTH / LAST, R0, item, line);
#endif
}

// Multiplies frequencies of a line, which has the order of the first step; the result has that after the last. Barriers
// within a condition that is false in the first round of a loop are miscompiled by PoCL 3, so the loop is left before
// them.
void filter_line (float2 *x, global const float *factors, int item, local float *line, global const float2 *roots)
{
  ROLLED
  for (int back = 0; back < 2; back++) {
    const int here = hidden (item, back);
    transform_line (x, here, line, roots);
    UNROLLED
    for (int i = 0; i < ROUNDS (LAST) * LAST; i++) {
      const int at = index_of (i, LAST, here);
      if (at < LENGTH)
        x[i] = back ? x[i].yx : (factors[FACTOR_AT (at)] * x[i]).yx;
    }
    if (back)
      break;
    begin_again (x, here, line);
  }
}
