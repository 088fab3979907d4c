// SPDX-License-Identifier: LGPL-3.0-or-later
// Spreads terms over the grid. A work-group has a tile of cells, and a list of the pieces of rays that touch the tile.
// A cell's sum is computed by one work-item, or by a few: no two of them write the same cell, and sums have the order
// of the list, however groups are scheduled.
//
// The group processes the terms of its pieces, GROUP at a time. First each work-item computes the weights of a term for
// all cells in reach: two rows of WIDTH weights in local memory. Then each work-item adds, from each piece, the few
// terms that touch its cell. Around the centre, where all rays meet, tiles are smaller and each cell has several
// work-items, which process pieces alternately; their sums are added in order.
#define GROUP 256
#define TAPS (WIDTH + 2) // weights per row, with one more at both ends
#define NEAR 1e-3f // cells: beyond this distance a term is out of reach even with rounding errors
#define MOST_SHARED 16 // cells of a tile with several work-items per cell

// 2^shift cells in both directions, from cell (x, y) of the grid, with the number of terms and pieces.
typedef struct {
  int x, y, shift, terms, first_piece, pieces;
} Tile;

// `count` terms of a ray, beginning with k = `first`. `begin`: number of the first one among the tile's terms. (x, y):
// number of whole grids by which the ray is shifted, because the grid is periodic.
typedef struct {
  int ray, first, begin;
  ushort count;
  char x, y;
} Piece;

float times_plus (float a, float b, float c)
{
#ifdef FP_FAST_FMAF
  return fma (a, b, c);
#else
  return a * b + c;
#endif
}

Value add (Value sum, float weight, Value term)
{
#ifdef FP_FAST_FMAF
  return fma ((Value)weight, term, sum);
#else
  return sum + weight * term;
#endif
}

// The last piece in [from, to) that begins at or before `term`.
int piece_of (global const Piece *pieces, int from, int to, int term)
{
  while (to - from > 1) {
    const int middle = (from + to) / 2;
    if (pieces[middle].begin <= term)
      from = middle;
    else
      to = middle;
  }
  return from;
}

// Cells from the first cell of the tile to the begin of the reach of term k, in a direction with `cells` cells.
long reach_of (int k, long step, int first_cell, int cells, int image)
{
  return k * step + (((long)(cells / 2 + image * cells - first_cell) * 2 - WIDTH) << (FRACTION - 1));
}

// Computes the weights of the cells in reach, and returns the first cell. Positions have units of 2^-22 of a cell, like
// on the CPU: positions exactly on a cell stay there in spite of rounding. If the reach begins exactly at a cell, it
// also ends at one, and a term gets one of them, term -k the mirrored one. Otherwise term -k would not be the
// conjugate, and the two slices of a complex value would mix. k = 0 gets half of both.
int weigh_cells (long reach, int k, constant float *phi, local float *weights)
{
  const long fine = (reach + (1L << (FRACTION - POSITION - 1))) >> (FRACTION - POSITION);
  const int up = (int)((fine + (1L << POSITION) - 1) >> POSITION); // rounds up
  const bool on_cell = (long)up << POSITION == fine;
  const int cell = on_cell && k < 0 ? up + 1 : up;
  const float z = (float)(int)(((long)cell << POSITION) - fine) * 0x1p-21f - 1;
  weights[0] = weights[WIDTH + 1] = 0;
  for (int t = 0; t < WIDTH; t++) {
    float value = phi[t];
    for (int d = 1; d <= WIDTH + 3; d++)
      value = times_plus (value, z, phi[d * WIDTH + t]);
    weights[t + 1] = value;
  }
  if (on_cell && k == 0)
    weights[1] = weights[WIDTH + 1] = 0.5f * weights[1];
  return cell;
}


kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
spread (global const Held *terms, int length, global const Ray *rays, global const Tile *tiles,
        global const Piece *all_pieces, constant float *phi, int cells, global float2 *lines, int first_column,
        int columns, global const float2 *scales)
{
  local float across[GROUP * TAPS], down[GROUP * TAPS]; // weights
  local int left[GROUP], upper[GROUP]; // first cell in reach
  local float left_of[GROUP], upper_of[GROUP]; // position of the reach, not rounded
  local Value shared[MOST_SHARED];
  local int last_piece;

  const int item = get_local_id (0);
  const Tile tile = tiles[get_global_id (0) / GROUP];
  global const Piece *pieces = all_pieces + tile.first_piece;
  const int side = 1 << tile.shift;
  const int y = item & (side - 1), x = (item >> tile.shift) & (side - 1);
  const int turn = item >> (2 * tile.shift), turns = GROUP >> (2 * tile.shift);

  Value sum = 0;
  int first_piece = 0;
  for (int begin = 0; begin < tile.terms; begin += GROUP) {
    const int count = min (GROUP, tile.terms - begin);
    if (item < count) {
      const int number = piece_of (pieces, first_piece, tile.pieces, begin + item);
      const Piece piece = pieces[number];
      const int k = piece.first + begin + item - piece.begin;
      const long u = reach_of (k, rays[piece.ray].x, tile.x, cells, piece.x);
      const long v = reach_of (k, rays[piece.ray].y, tile.y, cells, piece.y);
      left[item] = weigh_cells (u, k, phi, across + item * TAPS);
      upper[item] = weigh_cells (v, k, phi, down + item * TAPS);
      left_of[item] = (float)u * 0x1p-40f;
      upper_of[item] = (float)v * 0x1p-40f;
      if (item == count - 1)
        last_piece = number;
    }
    barrier (CLK_LOCAL_MEM_FENCE);
    const int last = last_piece;
    for (int number = first_piece + turn; number <= last; number += turns) {
      const Piece piece = pieces[number];
      const int from = max (piece.begin - begin, 0), to = min (piece.begin + piece.count - begin, count);
      // Range of terms whose reach begins in (cell - WIDTH, cell], in both directions; the search begins with term
      // `from`.
      const float2 inverse = (float2)(rays[piece.ray].inverse_x, rays[piece.ray].inverse_y);
      const float2 end = (float2)(x, y) - (float2)(left_of[from], upper_of[from]) + NEAR;
      const float2 one = end * inverse, other = (end - (WIDTH + 2 * NEAR)) * inverse;
      const float2 low = min (one, other), high = max (one, other);
      const float most = to - from;
      const int enters = from + (int)ceil (clamp (max (low.x, low.y), 0.0f, most));
      const int leaves = from + (int)floor (clamp (min (high.x, high.y), -1.0f, most - 1));
      const size_t term = (size_t)piece.ray * (length + 1) + (piece.first + length / 2) + (begin - piece.begin);
      for (int i = enters; i <= leaves; i++)
        sum = add (sum, across[i * TAPS + x - left[i] + 1] * down[i * TAPS + y - upper[i] + 1],
                   term_at (terms, term + i));
    }
    first_piece = last;
    barrier (CLK_LOCAL_MEM_FENCE);
  }

  for (int other = 1; other < turns; other++) {
    if (turn == other)
      shared[x * side + y] = sum;
    barrier (CLK_LOCAL_MEM_FENCE);
    if (turn == 0)
      sum += shared[x * side + y];
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (turn > 0 || tile.x + x >= cells || tile.y + y >= cells)
    return;
  Lanes cell;
  cell.all = sum;
  for (int pair = 0; pair < PAIRS; pair++)
    lines[(size_t)(pair * columns + tile.x + x - first_column) * cells + tile.y + y] =
        cell.pairs[pair] * scale_of (scales, pair).y;
}
