// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms of lines of LENGTH complex values, x[k] = sum over j of x[j] e^(2 pi i j k / LENGTH), unnormalised; the other
// sign comes of values whose parts are swapped before and after. A line is read and written once: ITEMS work-items hold it
// in their registers, and exchange values through local memory between the steps, real parts, then imaginary ones. LENGTH
// is R0 R1 R2 R3 R4, of which those that are not needed are 1; step s makes transforms of Rs values, and puts them where
// the next step finds them in order (J. W. Cooley, J. W. Tukey, Math. Comp. 19, 297, 1965; the order is T. G. Stockham's,
// AFIPS Proc. 28, 229, 1966). A group has LINES of them, and a line's bits do not depend on the lines beside it.
//
//   -DLENGTH=n -DITEMS=n -DLINES=n -DR0=n ... -DR4=n
//   -DLAST=n       the last radix that is not 1
//   -DVALUES=n     values of a work-item at most: ROUNDS of a radix, times it
//   -DUNROLL       loops are unrolled, so that x is in registers; compilers for CPUs take four times as long with it
#include "butterflies.cl"

#ifdef UNROLL
#define UNROLLED _Pragma ("unroll")
#else
#define UNROLLED
#endif
#define COUNT(radix) (LENGTH / (radix))                        // transforms of so many values in a step
#define ROUNDS(radix) ((COUNT (radix) + ITEMS - 1) / ITEMS)    // of a work-item at most
#define APART(place) ((place) + (place) / 16)                  // keeps strides of powers of two in different banks
#define LOCAL_VALUES APART (LENGTH)

// Transform number `item` + `round` ITEMS of a step has values `radix` round, and those after it, of x.

// One step. `before`: the product of the radices before it.
void transform_step (float2 *x, const int radix, const int before, int item, global const float2 *roots)
{
  UNROLLED
  for (int round = 0; round < ROUNDS (radix); round++) {
    const int number = item + round * ITEMS;
    if (number < COUNT (radix)) {
      if (before > 1) {
        const int turn = number % before * (LENGTH / (before * radix));
        UNROLLED
        for (int j = 1; j < radix; j++)
          x[round * radix + j] = times (roots[j * turn], x[round * radix + j]);
      }
      transform_few (x + round * radix, radix);
    }
  }
}

// Puts one part of what a step made, real (0) or imaginary ones (1), in its order into local memory.
void put_part (const float2 *x, const int part, const int radix, const int before, int item, local float *line)
{
  barrier (CLK_LOCAL_MEM_FENCE); // until all have read what is there
  UNROLLED
  for (int round = 0; round < ROUNDS (radix); round++) {
    const int number = item + round * ITEMS;
    const int first = number / before * (before * radix) + number % before;
    if (number < COUNT (radix))
      UNROLLED
      for (int j = 0; j < radix; j++)
        line[APART (first + j * before)] = part == 0 ? x[round * radix + j].x : x[round * radix + j].y;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

// What a step made becomes what the next one, of another radix, takes.
void exchange (float2 *x, const int radix, const int before, const int next, int item, local float *line)
{
  float real[VALUES];
  for (int part = 0; part < 2; part++) {
    put_part (x, part, radix, before, item, line);
    UNROLLED
    for (int round = 0; round < ROUNDS (next); round++) {
      const int number = item + round * ITEMS;
      if (number < COUNT (next))
        UNROLLED
        for (int j = 0; j < next; j++) {
          const float value = line[APART (number + j * COUNT (next))];
          if (part == 0)
            real[round * next + j] = value;
          else
            x[round * next + j] = (float2)(real[round * next + j], value);
        }
    }
  }
}

// Afterwards value j of a transform's results, of the last step, is number (its own number) + j COUNT (LAST) of the line.
void transform_line (float2 *x, int item, local float *line, global const float2 *roots)
{
  transform_step (x, R0, 1, item, roots);
#if R1 > 1
  exchange (x, R0, 1, R1, item, line);
  transform_step (x, R1, R0, item, roots);
#endif
#if R2 > 1
  exchange (x, R1, R0, R2, item, line);
  transform_step (x, R2, R0 * R1, item, roots);
#endif
#if R3 > 1
  exchange (x, R2, R0 * R1, R3, item, line);
  transform_step (x, R3, R0 * R1 * R2, item, roots);
#endif
#if R4 > 1
  exchange (x, R3, R0 * R1 * R2, R4, item, line);
  transform_step (x, R4, R0 * R1 * R2 * R3, item, roots);
#endif
}
