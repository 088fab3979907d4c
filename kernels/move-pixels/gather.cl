// SPDX-License-Identifier: LGPL-3.0-or-later
// Copies values: each column and row of the moved image is one of the image, or zero. OpenCL C 1.2.
//
//   -DIN=type  unsigned integer with the bytes of a value

// `columns`, `rows`: places in the lines and in the rows of the input block; negative: zero. Lines have `line` values,
// in lanes; images have `rows_in` and `rows_out` rows.
kernel void gather (global const IN *in, global const int *columns, global const int *rows, int lanes, int line,
                    int width, int rows_in, int rows_out, global IN *out)
{
  const int x = get_global_id (0), y = get_global_id (1);
  if (x >= width)
    return;
  const int place = x / lanes, image = y / rows_out;
  const int column = columns[place], row = rows[y - image * rows_out];
  out[(size_t)y * width + x] =
      column < 0 || row < 0 ? 0 : in[((size_t)image * rows_in + row) * line + (size_t)column * lanes + x - place * lanes];
}
