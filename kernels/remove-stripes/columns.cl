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
