// SPDX-License-Identifier: LGPL-3.0-or-later
// Counts to transmission or absorption, like the native kernels (correct.cpp, references.cpp). OpenCL C 1.2.
//
//   -DIN=type, -DHALF  as values.cl has it
//   -DCOUNTS=n         1: the values are counts
//   -DABSORPTION=n     1: -ln of the transmission
//   -DANGLES=n         angles that a work-item computes with the references that it reads once
//
// A line is an angle of a row, or of a group of rows in lanes, or a whole projection: `width` values, at place *
// place_stride + angle * angle_stride.
#include "../point/values.cl"
#include "../point/logarithm.cl"

#define LEAST_COUNT 0.5f
#define LEAST_TRANSMISSION 0x1p-16f

// Position of an angle between flats: a group and, if weight > 0, the next group with that weight.
typedef struct {
  int group;
  float weight;
} Moment;

// `references`: darks of `pixels` values, NaN where a pixel is dead, then flat - dark of each group. `first_angle`:
// first angle of the block. Counts of at least `top` are saturated; `holes` counts results that are not finite, except
// those of dead pixels.
kernel void flat_field (global const IN *restrict in, global const float *restrict references, ulong pixels,
                        global const Moment *restrict moments, int interpolated, int first_angle, int angles,
                        long angle_stride, long place_stride, int width, global float *restrict out,
                        global uint *clamped, float top, global uint *holes)
{
  const int at = get_global_id (0), first = get_global_id (1) * ANGLES;
  const size_t place = get_global_id (2), offset = place * place_stride + first * angle_stride + at;
  uint low = 0, found = 0;
  if (at < width) {
    global const float *here = references + place * width + at;
    const float dark = here[0];
    float white = here[pixels];
    float values[ANGLES];
    for (int i = 0; i < ANGLES; i++)
      values[i] = first + i < angles ? VALUE (in, offset + i * angle_stride) : 0;
    for (int i = 0; i < ANGLES && first + i < angles; i++) {
      if (interpolated) {
        global const Moment *moment = moments + first_angle + first + i;
        global const float *whites = here + (moment->group + 1) * pixels;
        white = whites[0];
        if (moment->weight > 0)
          white = fma (moment->weight, whites[pixels] - white, white);
      }
      float value = values[i] < top ? values[i] - dark : NAN;
#if ABSORPTION && COUNTS
      low += value < LEAST_COUNT;
      value = value < LEAST_COUNT ? LEAST_COUNT : value;
#endif
      value /= white;
#if ABSORPTION
#if !COUNTS
      low += value < LEAST_TRANSMISSION;
      value = value < LEAST_TRANSMISSION ? LEAST_TRANSMISSION : value;
#endif
      // NaN and infinity are kept.
      value = isfinite (value) ? 0 - logarithm (value) : -value;
#endif
      found += !isfinite (value) && !isnan (dark);
      out[offset + i * angle_stride] = value;
    }
  }
  local uint sum;
#if ABSORPTION
  count (low, &sum, clamped);
#endif
  count (found, &sum, holes);
}

// Consecutive dead pixels of a line, `step` values apart.
typedef struct {
  int place, at, count;
} Run;

// Interpolates linearly between values at two indices, or returns the only value, or that of a transmission of 1. A
// negative index means no value.
inline float between (global const float *values, int left, int at, int right)
{
  if (left < 0 && right < 0)
    return ABSORPTION ? 0 : 1;
  if (left < 0 || right < 0)
    return values[left < 0 ? right : left];
  const float to_left = at - left, to_right = right - at;
  return (values[left] * to_right + values[right] * to_left) / (to_left + to_right);
}

// Interpolates dead pixels between the nearest good ones.
kernel void patch (global const Run *runs, int run_count, int step, int width, long angle_stride, long place_stride,
                   global float *out)
{
  if (get_global_id (0) >= run_count)
    return;
  global const Run *run = runs + get_global_id (0);
  const int behind = run->at + run->count * step;
  const int left = run->at >= step ? run->at - step : -1, right = behind < width ? behind : -1;
  out += run->place * place_stride + get_global_id (1) * angle_stride;
  for (int i = run->at; i < behind; i += step)
    out[i] = between (out, left, i, right);
}

// Interpolates other values that are not finite between the nearest finite ones of their row. One work-item per row of
// an angle; `rows`: step times the number of places.
kernel void fill (global const uint *holes, int rows, int step, int width, long angle_stride, long place_stride,
                  global float *out, global uint *filled)
{
  uint found = 0;
  const int row = get_global_id (0);
  if (row < rows && (holes[0] > 0 || holes[1] > 0)) {
    out += row / step * place_stride + get_global_id (1) * angle_stride;
    int live = -1;
    for (int at = row % step; at < width; at += step) {
      if (isfinite (out[at])) {
        live = at;
        continue;
      }
      int next = at + step;
      while (next < width && !isfinite (out[next]))
        next += step;
      for (; at < next && at < width; at += step, found++)
        out[at] = between (out, live, at, next < width ? next : -1);
      at -= step;
    }
  }
  local uint sum;
  count (found, &sum, filled);
}
