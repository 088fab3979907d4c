// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms lines of LENGTH complex values, x[k] = sum over j of x[j] e^(2 pi i j k / LENGTH), unnormalised; for the
// other sign, swap real and imaginary parts before and after. A line is read and written once: ITEMS work-items hold it
// in registers, and exchange values through local memory between steps, first real parts, then imaginary ones. LENGTH
// is R0 R1 R2 R3 R4; unused radices are 1. Step s transforms Rs values at a time, and stores them in the order of the
// next step (J. W. Cooley, J. W. Tukey, Math. Comp. 19, 297, 1965; the order is T. G. Stockham's, AFIPS Proc. 28, 229,
// 1966). A group has LINES lines, and the bits of a line do not depend on the lines beside it.
//
//   -DLENGTH=n -DITEMS=n -DLINES=n -DR0=n ... -DR4=n
//   -DLAST=n       the last radix that is not 1
//   -DVALUES=n     most values of a work-item: ROUNDS of a radix, times the radix
//   -DPOWERS       of the factors of a small transform, the first is read, and the others are its powers: an error of 1e-7
//                  more, and far fewer scattered reads
//   -DUNROLL       loops are unrolled, so that x is in registers; compilers for CPUs take four times as long with it
#include "butterflies.cl"

#ifdef UNROLL
#define UNROLLED _Pragma ("unroll")
#else
#define UNROLLED
#endif
#define COUNT(radix) (LENGTH / (radix)) // transforms of this radix in a step
#define ROUNDS(radix) ((COUNT (radix) + ITEMS - 1) / ITEMS) // transforms of a work-item at most
#define APART(place) ((place) + (place) / 16) // puts strides of powers of two into different banks
#define LOCAL_VALUES APART (LENGTH)

// Transform number `item` + `round` ITEMS of a step has its values at index `round` radix of x.

// Multiplies the values of a small transform by the powers of a factor.
void turn_values (float2 *x, const int radix, float2 factor)
{
  float2 powers[16];
  powers[1] = factor;
  UNROLLED
  for (int j = 1; j < radix; j++) {
    if (j > 1)
      powers[j] = times (powers[j / 2], powers[j - j / 2]);
    x[j] = times (powers[j], x[j]);
  }
}

// Runs one step. `before`: product of the radices of earlier steps.
void transform_step (float2 *x, const int radix, const int before, int item, global const float2 *roots)
{
  UNROLLED
  for (int round = 0; round < ROUNDS (radix); round++) {
    const int number = item + round * ITEMS;
    if (number < COUNT (radix)) {
      if (before > 1) {
        const int turn = number % before * (LENGTH / (before * radix));
#ifdef POWERS
        turn_values (x + round * radix, radix, roots[turn]);
#else
        UNROLLED
        for (int j = 1; j < radix; j++)
          x[round * radix + j] = times (roots[j * turn], x[round * radix + j]);
#endif
      }
      transform_few (x + round * radix, radix);
    }
  }
}

// Writes the real (0) or imaginary (1) parts of a step's results to local memory, in order.
void put_part (const float2 *x, const int part, const int radix, const int before, int item, local float *line)
{
  barrier (CLK_LOCAL_MEM_FENCE); // until all have read the previous values
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

// Exchanges the results of a step between work-items, for the next step with another radix.
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

// The last step makes COUNT (LAST) small transforms. Result j of transform t has the index t + j * COUNT (LAST).
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
