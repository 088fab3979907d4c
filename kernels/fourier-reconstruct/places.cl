// SPDX-License-Identifier: LGPL-3.0-or-later
// Where pixels of a full slice are in a transformed line of `cells` values, and where they go.

int place_of (int i, int size, int cells)
{
  const int m = i - size / 2;
  return m < 0 ? m + cells : m;
}

// The pixel of a value; below 0 if it is none of the slice's.
int pixel_at (int place, int size, int cells)
{
  if (place < size - size / 2)
    return place + size / 2;
  return place >= cells - size / 2 ? place - (cells - size / 2) : INT_MIN / 2;
}

// Whether the centre of a pixel lies in the circle. Twice the distances are integers.
bool in_circle (int x, int y, int size)
{
  const long dx = 2 * (long)x + 1 - size, dy = 2 * (long)y + 1 - size;
  return dx * dx + dy * dy <= (long)size * size;
}

// Two slices that share complex values, the first of them number `number` of `slices` that are there: dense, of
// width x height pixels of the region. Broken ones become NaN, where no mask says 0.
typedef struct {
  global float *values;
  int number, slices, width, height, broken, other_broken;
} Slices;

// Pixel (x, y) of the full slice is (column, row) of the region.
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
