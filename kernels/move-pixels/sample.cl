// SPDX-License-Identifier: LGPL-3.0-or-later
// Interpolates between the pixels of images, with the operations of the native kernels (sample.cpp, spline.cpp). Beyond
// its border an image continues with the nearest pixel. OpenCL C 1.2.
//
//   -DIN=type, -DHALF  as values.cl has it
//   -DCUBIC=n          1: on the cubic spline through all pixels, otherwise linear
//   -DROWS_TOO=n       0: between columns only
#include "../point/values.cl"

#define REACH 13 // coefficients of the spline are sums of so many values on either side
#define EDGE 16  // columns of coefficients on either side of the image

// A position along an axis: the whole pixel, and the distance after its centre, 0 to 1.
typedef struct {
  int whole;
  float behind;
} Place;

// Images of `width` x `height` pixels, of which rows from `first` on are in memory, `rows` of them.
typedef struct {
  int width, height, first, rows;
} Images;

// The value of a pixel, or of the nearest one.
inline float pixel (global const IN *in, Images from, size_t image, int row, int column)
{
  row = clamp (row, 0, from.height - 1) - from.first;
  return VALUE (in, (image * from.rows + row) * from.width + clamp (column, 0, from.width - 1));
}

// Coefficients along the rows, of all rows in memory; `skipped`: images before those of the output.
kernel void spline_rows (global const IN *in, Images from, constant const float *weights, int skipped,
                         global float *out)
{
  const int x = get_global_id (0), y = get_global_id (1), width = from.width + 2 * EDGE + 1, column = x - EDGE;
  if (x >= width)
    return;
  const size_t image = y / from.rows;
  const int row = y - (int)image * from.rows + from.first;
  float sum = weights[0] * pixel (in, from, image, row, column);
  for (int k = 1; k <= REACH; k++)
    sum = sum + weights[k] * (pixel (in, from, image, row, column - k) + pixel (in, from, image, row, column + k));
  out[(size_t)(y - skipped * from.rows) * width + x] = sum;
}

// Coefficients along the columns of those, for `rows` rows from `first` on.
kernel void spline_columns (global const float *in, Images from, constant const float *weights, int first, int rows,
                            global float *out)
{
  const int x = get_global_id (0), y = get_global_id (1), width = from.width + 2 * EDGE + 1, image = y / rows;
  const int row = y - image * rows + first;
  if (x >= width)
    return;
  in += (size_t)image * from.rows * width + x;
#define AT(r) in[(size_t)(clamp (r, 0, from.height - 1) - from.first) * width]
  float sum = weights[0] * AT (row);
  for (int k = 1; k <= REACH; k++)
    sum = sum + weights[k] * (AT (row - k) + AT (row + k));
#undef AT
  out[(size_t)y * width + x] = sum;
}

// Interpolates between a and b; b is ignored if its weight is 0, even if it is NaN.
inline float between (float a, float b, float behind)
{
  return behind > 0 ? a + behind * (b - a) : a;
}

// Sum of four coefficients for a position that is t after the second one.
inline float inner (float u)
{
  const float cube = 3 * u * u * u, square = 6 * u * u;
  return (cube - square + 4) / 6;
}
inline float four (float t, float a, float b, float c, float d)
{
  const float s = 1 - t;
  return s * s * s / 6 * a + inner (t) * b + inner (s) * c + t * t * t / 6 * d;
}

// Coefficients of an image around a place in a row.
inline float across (global const float *row, Place at)
{
  row += at.whole + EDGE;
  return four (at.behind, row[-1], row[0], row[1], row[2]);
}

// Places of columns and rows in the tables, for each image, row and column.
typedef struct {
  int column_image, column_row, row_image, row_row, row_column;
} Steps;

// A band of `rows` rows from row `first` on, of each image; it begins after `above` of the `height` rows of an image in
// `out`. `plane`: pixels, or coefficients in `plane_rows` rows from row `plane_first` on. Tables have the band. Tables and
// coefficients begin with image `skipped`.
kernel void sample (
#if CUBIC
    global const float *plane,
#else
    global const IN *plane,
#endif
    Images from, int plane_first, int plane_rows, global const Place *columns, global const Place *rows_from,
    Steps steps, int skipped, int first, int rows, int above, int height, global float *out)
{
  const int x = get_global_id (0), y = get_global_id (1);
  const size_t image = y / rows, place = image - skipped;
  const int line = y - (int)image * rows;
  if (x >= from.width)
    return;
  const Place column = columns[place * steps.column_image + (size_t)line * steps.column_row + x];
#if ROWS_TOO
  const Place row = rows_from[place * steps.row_image + (size_t)line * steps.row_row + x * steps.row_column];
#else
  const Place row = {line + first, 0};
#endif
#if CUBIC
  const size_t width = from.width + 2 * EDGE + 1;
  global const float *own = plane + (place * plane_rows + (row.whole - plane_first)) * width;
#if ROWS_TOO
  const float value = four (row.behind, across (own - width, column), across (own, column), across (own + width, column),
                            across (own + 2 * width, column));
#else
  const float value = across (own, column);
#endif
#else
#define AT(r, c) pixel (plane, from, image, row.whole + r, column.whole + c)
  float value = between (AT (0, 0), AT (0, 1), column.behind);
#if ROWS_TOO
  value = between (value, between (AT (1, 0), AT (1, 1), column.behind), row.behind);
#endif
#undef AT
#endif
  out[(image * height + above + line) * from.width + x] = value;
}
