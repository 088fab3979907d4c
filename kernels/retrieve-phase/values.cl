// SPDX-License-Identifier: LGPL-3.0-or-later
// Values of images before and after phase retrieval, like the native kernels (spectrum.cpp), and frequencies of their
// rows.
//
//   -DRESULT=n  0: phase, 1: attenuation (paganin), 2: attenuation (bronnikov-aided)
#define IN float
#include "../point/values.cl"
#include "../point/logarithm.cl"

#define LEAST_TRANSMISSION 0x1p-16f

// The value of a line that stands at a place of the padded line: half of the padding repeats the last one.
int inside (int place, int size, int padded)
{
  return place < size ? place : place < size + (padded - size) / 2 ? size - 1 : 0;
}

// What a work-item has seen: numbers of values that are not finite, and of values that are no transmission, without
// padding; and whether a value is not finite, with padding.
typedef struct {
  uint replaced, strange;
  bool broken;
} Seen;

// 1 - transmission at a place of the padded row; not finite where the transmission is not.
float load_loss (global const float *row, int place, int columns, int padded, Seen *seen)
{
  const float value = row[inside (place, columns, padded)];
  if (place < columns) {
    seen->replaced += !isfinite (value);
    seen->strange += value <= 0 || value > 4;
  }
  seen->broken |= !isfinite (value);
  return 1 - value;
}

// Lowers `first` to the place of the first finite value of a row, for `items` work-items that have this row. At the
// begin it is `columns`, and stays so if no value is finite. A barrier must follow.
void find_first (global const float *row, int columns, int item, int items, local int *first)
{
  int i = item;
  while (i < columns && !isfinite (row[i]))
    i += items;
  if (i < columns)
    atomic_min (first, i);
}

// The same as load_loss (), but a value that is not finite is replaced by the previous one in the row, or else by the
// `first` one.
float mended_loss (global const float *row, int place, int columns, int padded, int first)
{
  if (first == columns)
    return 0;
  int i = max (inside (place, columns, padded), first);
  while (!isfinite (row[i]))
    i--;
  return 1 - row[i];
}

// The result for a filtered value. `below`: counts values below the least transmission.
float finished (float filtered, float transmission, uint *below)
{
#if RESULT == 0
  return filtered;
#else
  const float value = RESULT == 1 ? 1 - filtered : transmission / (transmission + filtered);
  const bool low = value < LEAST_TRANSMISSION;
  *below += low;
  // NaN and infinity are kept.
  return isfinite (value) ? -logarithm (low ? LEAST_TRANSMISSION : value) : value;
#endif
}

// Counts the images that have more than 1 % of strange values, and sets the count of these values, of 64 bits, to zero
// for the next image.
void judge (global uint *strange, ulong pixels, global uint *odd)
{
  const ulong all = (ulong)strange[1] << 32 | strange[0];
  if (100 * all > pixels)
    atomic_inc (odd);
  strange[0] = strange[1] = 0;
}

float2 conjugate (float2 value)
{
  return (float2)(value.x, -value.y);
}

// A row x of 2 M values is transformed as z[j] = x[2 j] + i x[2 j + 1] of M values. With t = e^(i pi k / M), frequency k
// of x, from 0 to M, is
//   X[k] = (Z[k] + conj (Z[M - k])) / 2 - i conj (t) (Z[k] - conj (Z[M - k])) / 2,
// where Z[M] is Z[0], and the way back is
//   Z[k] = (X[k] + conj (X[M - k])) / 2 + i t (X[k] - conj (X[M - k])) / 2.
float2 of_row (float2 z, float2 mirrored, float2 turn)
{
  const float2 other = conjugate (mirrored), difference = z - other;
  const float2 turned = turn.x * difference + turn.y * (float2)(difference.y, -difference.x);
  return 0.5f * (z + other + (float2)(turned.y, -turned.x));
}

float2 of_pairs (float2 x, float2 mirrored, float2 turn)
{
  const float2 other = conjugate (mirrored), difference = x - other;
  const float2 turned = turn.x * difference + turn.y * (float2)(-difference.y, difference.x);
  return 0.5f * (x + other + (float2)(-turned.y, turned.x));
}
