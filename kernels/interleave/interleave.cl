// SPDX-License-Identifier: LGPL-3.0-or-later
// Interleaves rows of projections, or of sinograms in any lanes, into [group][angle][column][LANES]. OpenCL C 1.2.
//
//   -DSIZE=n         bytes of a value: 1, 2 or 4
//   -DLANES=n        1, 2, 4, 8, 16 or 32
//   -DINPUT_LANES=n  lanes of the input, 1 for projections
//
// A work-group transposes a tile of LANES rows and COLUMNS columns in local memory, so that neighbours read along a row
// and write along lanes. Its size is n x 1 x 1. Dimension 1 counts angles of the input, dimension 2 groups of lanes. A
// launch may cover a part, by an offset.

#if SIZE == 1
typedef uchar Value;
#elif SIZE == 2
typedef ushort Value;
#else
typedef uint Value;
#endif

#if LANES <= 8
#define COLUMNS (256 / LANES)
#else
#define COLUMNS 32
#endif
// With this stride, neighbours along lanes access 32 different banks of 4 bytes, too.
#define STRIDE (COLUMNS + 32 / LANES)

// Rows [first, end) of the output, which has `row_count` rows, are in the input, at their index plus `shift`. Strides
// of the input: distance between groups of lanes, and between angles. The first angle of the input is number
// `first_angle` of the output's `angles`.
kernel void interleave (global const Value *in, long group_stride, long angle_stride, int first, int end, int shift,
                        int row_count, int first_angle, int angles, int columns, global Value *out)
{
  local Value tile[LANES * STRIDE];
  const int begin = get_group_id (0) * COLUMNS, angle = get_global_id (1);
  const int group = get_global_id (2) * LANES; // its first row
  in += angle * angle_stride;
  for (uint i = get_local_id (0); i < LANES * COLUMNS; i += get_local_size (0)) {
    const int lane = i / COLUMNS, column = i % COLUMNS, row = group + lane;
    const bool here = row >= first && row < end && begin + column < columns;
    const uint from = row + shift;
    tile[lane * STRIDE + column] =
        here ? in[from / INPUT_LANES * group_stride + (long)(begin + column) * INPUT_LANES + from % INPUT_LANES] : 0;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  out += ((long)(group / LANES) * angles + first_angle + angle) * columns * LANES;
  for (uint i = get_local_id (0); i < LANES * COLUMNS; i += get_local_size (0)) {
    const int lane = i % LANES, column = i / LANES, row = group + lane;
    const bool here = row >= first && row < end, padding = row >= row_count && end == row_count; // with the last row
    if ((here || padding) && begin + column < columns)
      out[(long)(begin + column) * LANES + lane] = tile[lane * STRIDE + column];
  }
}
