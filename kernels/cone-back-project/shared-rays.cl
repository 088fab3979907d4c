// SPDX-License-Identifier: LGPL-3.0-or-later
// gather with ONCE=2, for upright views: a work-group adds up the rays of a plane once for all its voxels.
//
// On a plane of voxels across the axis of the rays, a column of rays passes at one place, and its rays are at equal
// distances along z. So voxels beside it see the same column and differ only in the weight. A group has TILE x TILE
// columns of Z voxels and takes all planes of a layer at the same time:
//
//   1. A work-item adds up a column of rays on a plane, for each of the Z heights, and leaves the sums in local memory.
//   2. A work-item adds the columns less than a voxel away to its own column of voxels, each with its weight.
//
// If a plane has more columns than TILE, both are repeated for the next ones. A voxel adds columns in their order.
#define TILE WIDE
#define PITCH (Z / 4 + 1)       // vectors of a column: its sums, and where it passes
#define LINE (TILE * PITCH + 1) // those of a plane; one more spreads planes over the banks of local memory
#define RAYS ((NEAR + 1) / 2)   // largest number of rays between two voxels
#define LARGE 12582912.0f

// A plane as the first of its voxels sees it. Column r + e passes apart e / (1 + deeper e) voxels from that voxel.
typedef struct {
  float r, apart, deeper;
  float row, turn;        // row at the height of the group's first voxel, and its change from column to column
  float rise, rows_apart; // rows from voxel to voxel, and voxels from row to row, in column r
  int first, last;        // columns less than a voxel away from voxels
} Plane;

// Fills the plane, of which `voxels` lie in the volume, and returns the number of columns.
inline int look_along (constant const Layer *layer, local const Sight *s, int along, int voxels, local Plane *p)
{
  const float cone = layer->cone;
  const float depth = fma (s->depths[2], along, s->depth), inverse = 1 / depth;
  const float ahead = fma (cone, along, s->from[2]), aside = s->from[0], shorter = 1 / ahead;
  const float apart = depth * (s->across[0] - aside * shorter * s->across[2]);
  const float deeper = cone * depth * s->across[2] * shorter;
  const float r = fma (s->columns[2] * along, inverse, s->to_column);
  p->r = r;
  p->apart = apart;
  p->deeper = deeper;
  p->row = fma (s->rows[2] * along, inverse, s->to_row);
  p->turn = s->across[2] / s->down[1] * shorter * s->from[1];
  p->rise = s->rows[1] * inverse;
  p->rows_apart = fabs (depth * s->down[1]);
  // All rays that pass at other voxels go along the other axis.
  const float seen = fabs (ahead) + 1.01f, end = voxels - 1;
  const float low = cone > 0 ? fmax (0.0f, -seen - aside) : 0, high = cone > 0 ? fmin (end, seen - aside) : end;
  int first = 0, columns = 0;
  if (low <= high && (cone > 0 || fabs (aside) <= seen)) {
    const float one = (low - 1) / (apart - deeper * (low - 1)), other = (high + 1) / (apart - deeper * (high + 1));
    first = max ((int) ceil (r + fmin (one, other)), -s->column);
    columns = max (min ((int) floor (r + fmax (one, other)), layer->columns - 1 - s->column) - first + 1, 0);
  }
  p->first = first;
  p->last = first + columns - 1;
  return columns;
}

// Where the rows of a layer are: that of number k begins at rays[first + k next]. Numbers grow with z, so they are
// negative rows if rows count downward. A float a little above LARGE has the bits k + bias; shift is -bias next.
typedef struct {
  long first;
  int next, bias, shift;
  int count;
  float sign;
} Rows;

inline void find_rows (constant const Layer *layer, local const Sight *s, local Rows *rows)
{
  const int line = layer->columns;
  const bool falls = s->rows[1] < 0;
  rows->first = layer->first + s->column + (falls ? (long) (layer->lines - 1) * line : 0);
  rows->next = falls ? -line : line;
  rows->bias = as_int (LARGE) + (falls ? s->row - layer->lines + 1 : -s->row);
  rows->shift = -(uint) rows->bias * (uint) rows->next;
  rows->count = layer->lines;
  rows->sign = falls ? -1 : 1;
}

// The rays of one column: ray t + i step passes at the height of voxel i, and rays are `apart` from each other.
typedef struct {
  float t, step, apart;
} Column;

// Adds up rays at the heights of Z voxels, from that below the first voxel to that above the last. A ray between two
// voxels weighs 1 - f for the one below it and f for the one above, if f is its height over the lower one. `least` to
// `most` rays are between two voxels; `all` are in the layer. The number of a row comes from the bits of a float too
// large for fractions, which is cheaper than floor and conversion. Whatever the roundings, each ray lies between two
// voxels, and those of a column share it. Rays between `group` pairs of voxels are loaded together.
inline __attribute__ ((always_inline)) void add_rays (const int least, const int most, const bool all, const int group,
                                                      const Column c, global const float *rays, local const Rows *rows,
                                                      local float4 *sums)
{
  const int next_row = rows->next, shift = rows->shift, bias = rows->bias, count = rows->count;
  float at = c.t - c.step, begin = at + LARGE;
  float sum[Z + 1], above[Z + 1];
#pragma unroll
  for (int first = 0; first <= Z; first += group) {
    float value[RAYS * (Z + 1)], height[Z + 1];
#pragma unroll
    for (int j = 0; j < group; j++) {
      const int i = first + j;
      if (i > Z)
        continue;
      const float next = fma (i, c.step, c.t), end = next + LARGE; // rays from `begin` on, before `end`
      const int number = as_int (begin) - bias;
      global const float *place = rays + (int) (as_uint (begin) * next_row + shift);
      height[i] = fma (begin - LARGE - at, c.apart, 0.5f * c.apart);
#pragma unroll
      for (int k = 0; k < most; k++) {
        value[i * RAYS + k] = 0;
        if ((k < least || (k == 0 ? begin : begin + k) < end) && (all || (uint) (number + k) < (uint) count))
          value[i * RAYS + k] = place[k * next_row];
      }
      at = next;
      begin = end;
    }
#pragma unroll
    for (int j = 0; j < group; j++) {
      const int i = first + j;
      if (i > Z)
        continue;
      sum[i] = value[i * RAYS];
      above[i] = height[i] * sum[i];
#pragma unroll
      for (int k = 1; k < most; k++) {
        sum[i] += value[i * RAYS + k];
        above[i] = fma (fma (k, c.apart, height[i]), value[i * RAYS + k], above[i]);
      }
      if (i > 0 && i % 4 == 0)
        sums[i / 4 - 1] =
            (float4) (above[i - 4] + (sum[i - 3] - above[i - 3]), above[i - 3] + (sum[i - 2] - above[i - 2]),
                      above[i - 2] + (sum[i - 1] - above[i - 1]), above[i - 1] + (sum[i] - above[i]));
    }
  }
}

inline __attribute__ ((always_inline)) void fill_column (local const Rows *rows, local const Plane *p, int n,
                                                         global const float *rays, local float4 *column)
{
  const float e = n - p->r, depth = fma (p->deeper, e, 1), closer = 1 / depth;
  ((local float *) (column + Z / 4))[0] = p->apart * e * closer;
  const Column c = {fma (fma (e, p->turn, p->row), rows->sign, 0.5f), p->rise * depth * rows->sign,
                    p->rows_apart * closer};
  global const float *from = rays + rows->first + n;
  const bool all =
      as_int (c.t - c.step + LARGE) >= rows->bias && as_int (fma (Z, c.step, c.t) + LARGE) - rows->bias <= rows->count;
  // Roundings give one ray more, or one less, to a pair of voxels as far from each other as rays.
  if (all && (RAYS == 1 || c.apart >= 1.001f))
    add_rays (0, 1, true, 8, c, from, rows, column);
  else if (RAYS > 1 && all && c.apart <= 0.999f && c.apart >= 0.501f)
    add_rays (1, 2, true, 4, c, from, rows, column);
  else
    add_rays (0, RAYS, false, 1, c, from, rows, column);
}

// Adds columns, of which the first is column n of the plane, to the voxels `over` from the plane's first.
inline __attribute__ ((always_inline)) void add_columns (local const Plane *p, int n, const float over,
                                                         local const float4 *line, float sums[Z])
{
  const float inverse = 1 / fma (-p->deeper, over, p->apart), middle = fma (over, inverse, p->r);
  const float reach = fabs (p->apart) * inverse * inverse * fma (2, fabs (p->deeper * inverse), 1);
  const int begin = max ((int) ceil (middle - reach), n),
            end = min ((int) floor (middle + reach), min (p->last, n + TILE - 1));
#pragma unroll 1
  for (int i = begin; i <= end; i++) {
    local const float4 *column = line + (i - n) * PITCH;
    const float weight = near (((local const float *) (column + Z / 4))[0] - over);
#pragma unroll
    for (int j = 0; j < Z / 4; j++) {
      const float4 four = column[j];
      sums[4 * j] = fma (weight, four.x, sums[4 * j]);
      sums[4 * j + 1] = fma (weight, four.y, sums[4 * j + 1]);
      sums[4 * j + 2] = fma (weight, four.z, sums[4 * j + 2]);
      sums[4 * j + 3] = fma (weight, four.w, sums[4 * j + 3]);
    }
  }
}

// A column of voxels in a block, which may have only those from `bottom` on, before `top`.
typedef struct {
  int bottom, top;
  long slice; // voxels from one slice to the next
  global float *first;
} Voxels;

inline Voxels voxels_of (const Volume v, int x, int y, int slab, global float *volume)
{
  const int z = slab * Z - v.first_z;
  const long slice = (long) v.height * v.width;
  const Voxels all = {max (-z, 0), x < v.width && y < v.height ? min (v.depth - z, Z) : 0, slice,
                      volume + z * slice + (long) y * v.width + x};
  return all;
}

// Groups have the order of those below.
kernel __attribute__ ((reqd_work_group_size (WIDE, HIGH, 1))) void
gather (constant const Layer *layers, const Volume v, global const float *rays, global float *volume)
{
  local Sight sights[VIEWS];
  local Plane planes[VIEWS * TILE];
  local Rows rows[VIEWS];
  local int most[VIEWS]; // columns of a plane
  local float4 sheet[TILE * LINE];
  local Volume same; // read at the end, or compilers hold what they know of the volume in registers until then
  const int high = (v.height + HIGH - 1) / HIGH * HIGH, line = get_global_id (1);
  const int x = get_global_id (0), y = line % high, slab = v.first_z / Z + line / high;
  const int2 item = (int2) (get_local_id (0), get_local_id (1));
  const int number = item.y * TILE + item.x, plane = number % TILE, place = number / TILE;
  const double at[3] = {x - item.x, y - item.y, (double) slab * Z};
  if (number == 0)
    same = v;
  for (int i = number; i < v.count; i += TILE * TILE) {
    look (layers + i, at, sights + i);
    find_rows (layers + i, sights + i, rows + i);
    most[i] = 0;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  const int wide = min (v.width - x + item.x, TILE), deep = min (v.height - y + item.y, TILE);
  for (int i = place; i < v.count; i += TILE) {
    const bool by_x = layers[i].axis == 0;
    const int voxels = plane >= (by_x ? wide : deep) ? 0 : by_x ? deep : wide;
    atomic_max (most + i, look_along (layers + i, sights + i, plane, voxels, planes + i * TILE + plane));
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  float sums[Z] = {0};
  if (!v.first) {
    const Voxels all = voxels_of (v, x, y, slab, volume);
#pragma unroll
    for (int i = 0; i < Z; i++)
      if (i >= all.bottom && i < all.top)
        sums[i] = all.first[i * all.slice];
  }
  for (int i = 0; i < v.count; i++) {
    local const Plane *all = planes + i * TILE;
    const bool by_x = layers[i].axis == 0;
    const int over = by_x ? item.y : item.x, along = by_x ? item.x : item.y;
    for (int done = 0; done < most[i]; done += TILE) {
      const int n = all[plane].first + done + place;
      if (n <= all[plane].last)
        fill_column (rows + i, all + plane, n, rays, sheet + plane * LINE + place * PITCH);
      barrier (CLK_LOCAL_MEM_FENCE);
      add_columns (all + along, all[along].first + done, over, sheet + along * LINE, sums);
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  }
  const Voxels all = voxels_of (same, x, y, slab, volume);
  const float from_x = x - v.axis_x, from_y = y - v.axis_y;
  const bool seen = !(fma (from_x, from_x, from_y * from_y) > v.radius * v.radius);
#pragma unroll
  for (int i = 0; i < Z; i++)
    if (i >= all.bottom && i < all.top)
      all.first[i * all.slice] = seen ? sums[i] : 0;
}
