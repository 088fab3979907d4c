// SPDX-License-Identifier: LGPL-3.0-or-later
// Between dense slices and images of pairs.

// Makes an image of `count` dense slices, or, with `same`, so many times of the first; others are 0. With `clips`, pixels
// outside the circle become 0. Values that are not finite become 0, because they would reach the other slice of the pair,
// and `broken` marks their slice.
kernel void pack (global const float *dense, int count, int same, global const Range *circle, int clips, global float2 *image,
                  global int *broken)
{
  const int column = get_global_id (0), row = get_global_id (1), pair = get_global_id (2);
  const size_t at = (size_t)row * LENGTH + column;
  float value[2];
  for (int i = 0; i < 2; i++) {
    const int slice = 2 * pair + i;
    value[i] = slice < count ? dense[image_of (same ? 0 : slice) + at] : 0;
    if (!isfinite (value[i])) {
      value[i] = 0;
      atomic_or (broken + slice, 1);
    }
  }
  const bool kept = !clips || is_in (column, circle[row]);
  image[image_of (pair) + at] = kept ? (float2)(value[0], value[1]) : (float2)(0);
}

// Stores width x height pixels, from (left, upper) of slices with `size` columns, whose pixel 0 is pixel `corner` of
// images. Values below `least` become `least`. With `mask`, pixels outside the inscribed circle become 0. Slices begin
// with number `first`; there are `slices` in all.
kernel void unpack (global const float2 *image, int corner, int size, int left, int upper, int width, int height,
                    int mask, float least, float scale, global const int *broken, int first, int slices, global float *out)
{
  const int column = get_global_id (0), row = get_global_id (1), pair = get_global_id (2);
  if (column >= width)
    return;
  const int x = left + column, y = upper + row;
  const bool inside = !mask || in_circle (x, y, size);
  const float2 both = image[image_of (pair) + (size_t)(corner + y) * LENGTH + corner + x];
  const float value[2] = {both.x, both.y};
  for (int i = 0; i < 2; i++) {
    const int slice = 2 * pair + i;
    if (first + slice < slices)
      out[((size_t)(first + slice) * height + row) * width + column] =
          !inside ? 0 : broken[slice] ? NAN : scale * (value[i] <= least ? least : value[i]); // NaN stays
  }
}
