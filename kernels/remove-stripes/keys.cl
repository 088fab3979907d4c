// SPDX-License-Identifier: LGPL-3.0-or-later
// Layouts of sinograms, and values as keys, as shape.hpp and ranks.hpp have them. OpenCL C 1.2, cl_khr_fp64.
//
// By angles, a group is [angle][column], where neighbouring columns belong to the sinograms of its lanes. By columns, it
// is [column][rank]: all values of a column side by side, in the order of angles or of values. Numbers of columns are
// [sinogram][column].
//
// Products and sums are not fused, so that numbers are those of the native kernels.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  int angles, columns; // of a group
  int lanes, groups;
} Stack;

int columns_of_lane (Stack s)
{
  return s.columns / s.lanes;
}

// The place of a column among the numbers of columns; columns are counted through all groups.
int number_of (Stack s, int column)
{
  const int group = column / s.columns, inside = column % s.columns;
  return (group * s.lanes + inside % s.lanes) * columns_of_lane (s) + inside / s.lanes;
}

// The column that has a number.
int column_of (Stack s, int number)
{
  const int sinogram = number / columns_of_lane (s), inside = number % columns_of_lane (s);
  return sinogram / s.lanes * s.columns + inside * s.lanes + sinogram % s.lanes;
}

// A column whose values are interpolated between two others of its group; left < 0: it keeps its own values.
typedef struct {
  int left, right;
  float share;
} Bridge;

// The result of native kernels where a number is NaN: its sign is kept, so that its key has the same order.
#define NAN_OF_NATIVE as_float (0xffc00000) // result of invalid operations on other numbers

float minus (float a, float b)
{
  const float result = a - b;
  return !isnan (result) ? result : isnan (a) ? a : isnan (b) ? b : NAN_OF_NATIVE;
}

float over (float a, float b)
{
  const float result = a / b;
  return !isnan (result) ? result : isnan (a) ? a : isnan (b) ? b : NAN_OF_NATIVE;
}

float across (Bridge b, global const float *line)
{
  const float left = line[b.left], right = line[b.right], result = left + b.share * (right - left);
  return !isnan (result) ? result : isnan (left) ? left : isnan (right) ? right : NAN_OF_NATIVE;
}

int key_of (float value)
{
  const int bits = as_int (value);
  return bits ^ (bits >> 31 & 0x7fffffff);
}

float value_of (int key)
{
  return as_float (key ^ (key >> 31 & 0x7fffffff));
}

// Index of a value beyond a border.
int mirrored (int i, int n)
{
  if (i >= 0 && i < n)
    return i;
  const int turn = (i % (2 * n) + 2 * n) % (2 * n);
  return turn < n ? turn : 2 * n - 1 - turn;
}
