// SPDX-License-Identifier: LGPL-3.0-or-later
// Columns side by side from lines of angles, and back.

#define TILE 32
#define TILE_LINES 8

// The values by columns, as keys. Groups: columns, angles (in tiles), groups of sinograms.
kernel __attribute__ ((reqd_work_group_size (TILE, TILE_LINES, 1))) void
to_columns (Stack s, global const float *in, ulong first, int bridged, global const Bridge *bridges, global int *keys)
{
  local int tile[TILE][TILE + 1];
  const int x = get_local_id (0), y = get_local_id (1), group = get_group_id (2);
  const int first_column = get_group_id (0) * TILE, first_angle = get_group_id (1) * TILE;
  const int column = first_column + x;
  in += first + (size_t)group * s.angles * s.columns;
  if (column < s.columns)
    for (int i = y; i < TILE && first_angle + i < s.angles; i += TILE_LINES) {
      global const float *line = in + (size_t)(first_angle + i) * s.columns;
      float value = line[column];
      if (bridged && bridges[group * s.columns + column].left >= 0)
        value = across (bridges[group * s.columns + column], line);
      tile[i][x] = key_of (value);
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (first_angle + x < s.angles)
    for (int i = y; i < TILE && first_column + i < s.columns; i += TILE_LINES)
      keys[((size_t)group * s.columns + first_column + i) * s.angles + first_angle + x] = tile[x][i];
}

// Back: keys become values of lines.
kernel __attribute__ ((reqd_work_group_size (TILE, TILE_LINES, 1))) void
to_lines (Stack s, global const int *keys, global float *out, ulong first)
{
  local int tile[TILE][TILE + 1];
  const int x = get_local_id (0), y = get_local_id (1), group = get_group_id (2);
  const int first_column = get_group_id (0) * TILE, first_angle = get_group_id (1) * TILE;
  if (first_angle + x < s.angles)
    for (int i = y; i < TILE && first_column + i < s.columns; i += TILE_LINES)
      tile[x][i] = keys[((size_t)group * s.columns + first_column + i) * s.angles + first_angle + x];
  barrier (CLK_LOCAL_MEM_FENCE);
  out += first + (size_t)group * s.angles * s.columns;
  if (first_column + x < s.columns)
    for (int i = y; i < TILE && first_angle + i < s.angles; i += TILE_LINES)
      out[(size_t)(first_angle + i) * s.columns + first_column + x] = value_of (tile[i][x]);
}

// Means of neighbouring angles without values that are no numbers, as keys by columns. Items: columns, means, groups.
kernel void mean_of_angles (Stack s, global const float *in, ulong first, int means, int bridged,
                            global const Bridge *bridges, global int *keys)
{
  const int column = get_global_id (0), mean = get_global_id (1), group = get_global_id (2);
  if (column >= s.columns)
    return;
  const int begin = (long)mean * s.angles / means, end = (long)(mean + 1) * s.angles / means;
  Bridge bridge = {-1, -1, 0};
  if (bridged)
    bridge = bridges[group * s.columns + column];
  in += first + (size_t)group * s.angles * s.columns;
  float sum = 0, count = 0;
  for (int a = begin; a < end; a++) {
    global const float *line = in + (size_t)a * s.columns;
    const float value = bridge.left >= 0 ? across (bridge, line) : line[column];
    const bool counts = bridge.left >= 0 || isfinite (value);
    sum += counts ? value : 0;
    count += counts ? 1 : 0;
  }
  keys[((size_t)group * s.columns + column) * means + mean] = key_of (over (sum, count));
}

// Lines minus a number for each column. Items: columns, some of the angles, groups.
kernel void lower_lines (Stack s, global const float *in, ulong first, int bridged, global const Bridge *bridges,
                         global const float *by, global float *out)
{
  const int column = get_global_id (0), group = get_global_id (2);
  if (column >= s.columns)
    return;
  Bridge bridge = {-1, -1, 0};
  if (bridged)
    bridge = bridges[group * s.columns + column];
  const float number = by[group * s.columns + column];
  const size_t from = first + (size_t)group * s.angles * s.columns;
  for (int a = get_global_id (1); a < s.angles; a += get_global_size (1)) {
    const size_t line = from + (size_t)a * s.columns;
    out[line + column] = minus (bridge.left >= 0 ? across (bridge, in + line) : in[line + column], number);
  }
}

// The values that the first sinogram of a block has lost, over every `step`-th angle. Items: its columns.
kernel void taken (Stack s, global const float *in, global const float *out, int step, int place, global double *sums)
{
  const int column = get_global_id (0), columns = columns_of_lane (s);
  if (column >= columns)
    return;
  double sum = 0;
  for (int a = 0; a < s.angles; a += step) {
    const size_t i = (size_t)a * s.columns + column * s.lanes;
    sum += (double)in[i] - (double)out[i];
  }
  sums[place * columns + column] = sum;
}
