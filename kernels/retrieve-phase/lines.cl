// SPDX-License-Identifier: LGPL-3.0-or-later
// Phase retrieval with our own transforms, in three launches: rows to frequencies, columns, rows back. For options see
// fft/line.cl.
//
//   -DOF_COLUMNS    a line is a column, else a row as LENGTH complex values
//   -DTOGETHER=n    columns that lie side by side; 4 are 32 bytes, a sector of memory
//   -DCOLUMNS=n     columns of a group, at most TOGETHER
//   -DBESIDE=n      floats of local memory from a column to the next

// Frequencies are [image][column / TOGETHER][row][column % TOGETHER].
size_t place (int column, int row, int rows)
{
  return ((size_t)(column / TOGETHER) * rows + row) * TOGETHER + column % TOGETHER;
}

// Complex values of an image with frequencies 0 ... `last` of rows.
size_t image_size (int last, int rows)
{
  return (size_t)(last / TOGETHER + 1) * rows * TOGETHER;
}

#ifdef OF_COLUMNS

// Filters the columns of images in place. `factors`: [column][row's frequency from 0 to LENGTH / 2]. Groups of the same
// columns of all images run one after the other, so that factors come from the cache.
kernel __attribute__ ((reqd_work_group_size (COLUMNS, ITEMS, 1))) void
filter_columns (global float2 *frequencies, int last, int rows, global const float *factors, global const float2 *roots)
{
  local float places[COLUMNS * BESIDE];
  const int item = get_local_id (1), wanted = get_group_id (2) * COLUMNS + get_local_id (0);
  const bool there = wanted <= last;
  const int column = there ? wanted : last;
  frequencies += get_group_id (0) * image_size (last, rows) + place (column, 0, rows);
  float2 x[VALUES];
  UNROLLED
  for (int i = 0; i < ROUNDS (R0) * R0; i++) {
    const int at = index_of (i, R0, item);
    if (at < LENGTH)
      x[i] = frequencies[(size_t)inside (at, rows, LENGTH) * TOGETHER];
  }
  barrier (CLK_GLOBAL_MEM_FENCE); // until all have read the edges, which others write
  filter_line (x, factors + (size_t)column * (LENGTH / 2 + 1), item, places + get_local_id (0) * BESIDE, roots);
  if (!there)
    return;
  UNROLLED
  for (int i = 0; i < ROUNDS (LAST) * LAST; i++) {
    const int at = index_of (i, LAST, item);
    if (at < rows)
      frequencies[(size_t)at * TOGETHER] = x[i];
  }
}

#else

// Stores frequencies of a row, from a transform between swapped real and imaginary parts.
void store_row (const float2 *x, int item, local float *line, global float2 *frequencies, int row, int rows, bool there,
                global const float2 *half_turns)
{
  float real[VALUES], mirrored[VALUES];
  for (int part = 0; part < 2; part++) {
    put_part (x, 1 - part, LAST, COUNT (LAST), item, line);
    UNROLLED
    for (int i = 0; i < ROUNDS (R0) * R0; i++) {
      const int k = index_of (i, R0, item);
      if (k >= LENGTH)
        continue;
      const float here = line[APART (k)], other = line[APART (k == 0 ? 0 : LENGTH - k)];
      if (part == 0) {
        real[i] = here;
        mirrored[i] = other;
      } else if (there) {
        const float2 z = (float2)(real[i], here), m = (float2)(mirrored[i], other);
        frequencies[place (k, row, rows)] = of_row (z, m, half_turns[k]);
        if (k == 0)
          frequencies[place (LENGTH, row, rows)] = (float2)(z.x - z.y, 0);
      }
    }
  }
}

// Loads a row again, with replacements for values that are not finite.
void mend_row (float2 *x, int item, global const float *row, int columns, int first)
{
  UNROLLED
  for (int i = 0; i < ROUNDS (R0) * R0; i++) {
    const int at = index_of (i, R0, item);
    if (at < LENGTH) {
      x[i].y = mended_loss (row, 2 * at, columns, 2 * LENGTH, first);
      x[i].x = mended_loss (row, 2 * at + 1, columns, 2 * LENGTH, first);
    }
  }
}

// Transforms rows of images, beginning with image `first`. Real and imaginary parts are swapped, for
// e^(-2 pi i j k / LENGTH).
kernel __attribute__ ((reqd_work_group_size (ITEMS * LINES, 1, 1))) void
transform_rows (global const float *in, int first, int rows, int columns, global float2 *frequencies,
                global const float2 *roots, global const float2 *half_turns, global uint *replaced,
                global uint *strange)
{
  local float places[LINES][LOCAL_VALUES];
  local uint sum;
  local int finite[LINES]; // first finite values of rows
  const int item = get_local_id (0) % ITEMS, beside = get_local_id (0) / ITEMS;
  const int wanted = get_group_id (0) * LINES + beside, image = get_group_id (1);
  const bool there = wanted < rows;
  const int row = there ? wanted : rows - 1;
  in += ((size_t)(first + image) * rows + row) * columns;
  Seen seen = {0, 0, false};
  float2 x[VALUES];
  UNROLLED
  for (int i = 0; i < ROUNDS (R0) * R0; i++) {
    const int at = index_of (i, R0, item);
    if (at < LENGTH) {
      x[i].y = load_loss (in, 2 * at, columns, 2 * LENGTH, &seen);
      x[i].x = load_loss (in, 2 * at + 1, columns, 2 * LENGTH, &seen);
    }
  }
  if (item == 0)
    finite[beside] = columns;
  count (there ? seen.strange : 0, &sum, strange + 2 * image);
  count (there ? seen.replaced : 0, &sum, replaced);
  if (sum > 0)
    find_first (in, columns, item, ITEMS, finite + beside);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (seen.broken)
    mend_row (x, item, in, columns, finite[beside]);
  transform_line (x, item, places[beside], roots);
  store_row (x, item, places[beside], frequencies + image * image_size (LENGTH, rows), row, rows, there, half_turns);
}

// Transforms `wanted` rows, beginning with row `begin`, back to images.
kernel __attribute__ ((reqd_work_group_size (ITEMS * LINES, 1, 1))) void
restore_rows (global const float *in, int first, int rows, int columns, global const float2 *frequencies, int begin,
              int wanted, global float *out, global const float2 *roots, global const float2 *half_turns,
              global uint *clamped, global uint *strange, global uint *odd)
{
  local float places[LINES][LOCAL_VALUES];
  local uint sum;
  const int item = get_local_id (0) % ITEMS, beside = get_local_id (0) / ITEMS;
  const int number = get_group_id (0) * LINES + beside, image = get_group_id (1);
  const bool there = number < wanted;
  const int row = begin + (there ? number : wanted - 1);
  frequencies += image * image_size (LENGTH, rows);
  float2 x[VALUES];
  UNROLLED
  for (int i = 0; i < ROUNDS (R0) * R0; i++) {
    const int k = index_of (i, R0, item);
    if (k < LENGTH)
      x[i] = of_pairs (frequencies[place (k, row, rows)], frequencies[place (LENGTH - k, row, rows)], half_turns[k]);
  }
  transform_line (x, item, places[beside], roots);
  in += ((size_t)(first + image) * rows + row) * columns;
  out += ((size_t)(first + image) * wanted + number) * columns;
  uint below = 0;
  UNROLLED
  for (int i = 0; i < ROUNDS (LAST) * LAST; i++) {
    const int column = 2 * index_of (i, LAST, item);
    if (there && column < columns)
      out[column] = finished (x[i].x, in[column], &below);
    if (there && column + 1 < columns)
      out[column + 1] = finished (x[i].y, in[column + 1], &below);
  }
  count (below, &sum, clamped);
  if (get_group_id (0) == 0 && get_local_id (0) == 0)
    judge (strange + 2 * image, (ulong)rows * columns, odd);
}

#endif
