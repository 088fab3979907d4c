// SPDX-License-Identifier: LGPL-3.0-or-later
// Positions of pixels of a full slice in a transformed line of `cells` values, and storing of pixels.

int place_of (int i, int size, int cells)
{
  const int m = i - size / 2;
  return m < 0 ? m + cells : m;
}

// The pixel of a value; below 0 if it is outside the slice.
int pixel_at (int place, int size, int cells)
{
  if (place < size - size / 2)
    return place + size / 2;
  return place >= cells - size / 2 ? place - (cells - size / 2) : INT_MIN / 2;
}

// Whether the centre of a pixel is in the circle. Exact: twice the distances are integers.
bool in_circle (int x, int y, int size)
{
  const long dx = 2 * (long)x + 1 - size, dy = 2 * (long)y + 1 - size;
  return dx * dx + dy * dy <= (long)size * size;
}

// Two slices that share complex values; `number` is the first one, of `slices` in all. Dense, width x height pixels of
// the region. Broken slices become NaN, except where the mask sets 0.
typedef struct {
  global float *values;
  int number, slices, width, height, broken, other_broken;
} Slices;

// Stores pixel (x, y) of the full slice at (column, row) of the region.
void store_pixel (const Slices to, float2 value, int x, int y, int column, int row, int size)
{
  bool inside = true;
#ifdef MASK
  inside = in_circle (x, y, size);
#endif
  const size_t at = ((size_t)to.number * to.height + row) * to.width + column;
  if (to.number < to.slices)
    to.values[at] = !inside ? 0 : to.broken ? NAN : value.x;
  if (to.number + 1 < to.slices)
    to.values[at + (size_t)to.height * to.width] = !inside ? 0 : to.other_broken ? NAN : value.y;
}
