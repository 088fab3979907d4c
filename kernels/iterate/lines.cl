// SPDX-License-Identifier: LGPL-3.0-or-later
// Lines of images and of frequencies, spread over work-items as fft/line.cl has them. A transform of the other sign is
// one between swapped real and imaginary parts.

// Loops along rows, in which several values are loaded before the first is stored.
#ifdef UNROLL
#define PARTLY_UNROLLED _Pragma ("unroll 4")
#else
#define PARTLY_UNROLLED
#endif

// The pixels of a row that are inside the circle.
typedef struct {
  int begin, end;
} Range;

bool is_in (int column, Range range)
{
  return column >= range.begin && column < range.end;
}

size_t image_of (int pair)
{
  return (size_t)pair * LENGTH * LENGTH;
}

// Frequencies of rows are [pair][column / TOGETHER][row][column % TOGETHER].
size_t place (int column, int row)
{
  return ((size_t)(column / TOGETHER) * LENGTH + row) * TOGETHER + column % TOGETHER;
}

float2 turned_back (float2 value, float2 turn)
{
  return times ((float2)(turn.x, -turn.y), value);
}

// Adds the part of even or of odd frequencies to T applied to a line, after the last step.
void add_part (float2 *sum, const float2 *x, int odd, int item, global const float2 *half_turns)
{
  UNROLLED
  for (int i = 0; i < ROUNDS (LAST) * LAST; i++) {
    const int at = index_of (i, LAST, item);
    if (at < LENGTH)
      sum[i] = odd ? sum[i] + turned_back (x[i], half_turns[at]) : x[i];
  }
}

// Transforms values that are in the order of the first step, and stores them as frequencies of a row.
void lay_line (float2 *x, int item, local float *line, global const float2 *roots, global float2 *z, int row)
{
  transform_line (x, item, line, roots);
  UNROLLED
  for (int i = 0; i < ROUNDS (LAST) * LAST; i++) {
    const int at = index_of (i, LAST, item);
    if (at < LENGTH)
      z[place (at, row)] = x[i];
  }
}

// Both transforms of a row of an image, which is 0 outside of the circle: those of even and odd frequencies.
void lay_row (global const float2 *values, Range inside, int item, local float *line, global const float2 *roots,
              global const float2 *half_turns, global float2 *z0, global float2 *z1, int row)
{
  ROLLED
  for (int odd = 0; odd < 2; odd++) {
    const int here = hidden (item, odd);
    float2 x[VALUES];
    UNROLLED
    for (int i = 0; i < ROUNDS (R0) * R0; i++) {
      const int at = index_of (i, R0, here);
      const float2 value = is_in (at, inside) ? values[at] : (float2)(0);
      x[i] = odd && at < LENGTH ? times (half_turns[at], value) : value;
    }
    lay_line (x, here, line, roots, odd ? z1 : z0, row);
  }
}

// Transforms frequencies of a row back; the result has the order after the last step.
void take_line (float2 *x, global const float2 *z, int row, int item, local float *line, global const float2 *roots)
{
  UNROLLED
  for (int i = 0; i < ROUNDS (R0) * R0; i++) {
    const int at = index_of (i, R0, item);
    if (at < LENGTH)
      x[i] = z[place (at, row)].yx;
  }
  transform_line (x, item, line, roots);
  UNROLLED
  for (int i = 0; i < ROUNDS (LAST) * LAST; i++)
    x[i] = x[i].yx;
}

// A row of T applied to an image, from both frequencies.
void take_row (float2 *sum, global const float2 *z0, global const float2 *z1, int row, int item, local float *line,
               global const float2 *roots, global const float2 *half_turns)
{
  ROLLED
  for (int odd = 0; odd < 2; odd++) {
    const int here = hidden (item, odd);
    float2 x[VALUES];
    take_line (x, odd ? z1 : z0, row, here, line, roots);
    add_part (sum, x, odd, here, half_turns);
  }
}
