// SPDX-License-Identifier: LGPL-3.0-or-later
// The transpose of forward-project: a voxel adds up all rays that read it there, with the same weights. A ray reads the
// voxels around it on planes across the axis of its direction, so a voxel takes the rays that pass its own plane less
// than a voxel away in both directions, which are a few rays around the place where it is seen.
//
//   weigh    multiplies each pixel by the length of its ray between planes, once. Rays along another axis become 0.
//            A layer is a view and one of the axes that its rays have: some views have two layers.
//   gather   a work-item adds up Z voxels, one above the other, or of SIDE x SIDE neighbouring columns of voxels. Sums
//            have the order of layers, columns, rows.
//
// Places count from the first voxel of a work-group, where they are computed in float64, so that floats are precise.
// Groups begin at multiples of Z slices of the volume, wherever a block begins. So blocks change no bit.
#include "../forward-project/rays.cl"

// A layer, in voxels from the centre of voxel (0, 0, 0), and in rays from ray (0, 0).
typedef struct {
  double column[4], row[4], depth[4]; // products with (x, y, z, 1); column and row must be divided by the depth
  double source[3];                   // or direction of the rays
  float across[3], down[3];           // from one ray to the next, and from line to line
  int axis;                           // of the rays: 0: x, 1: y, 2: z
  int cone;
  int view;    // number of the view among the projections of the block
  int columns; // rays of a line
  int lines;   // lines of rays
  int first_line; // number of the first line, in the whole detector
  long first;     // place of ray (0, 0) among the weighed rays; zeros lie before and behind them
} Layer;

kernel void weigh (constant const View *views, constant const Layer *layers, int first, const Frame f,
                   global const float *pixels, global float *rays)
{
  constant const Layer *layer = layers + first + get_global_id (2);
  constant const View *view = views + first + get_global_id (2);
  const Place p = {0, get_global_id (0), get_global_id (1)};
  if (p.ray >= layer->columns || p.line >= layer->lines)
    return;
  const Ray ray = ray_of (f, view, p);
  const float value = pixels[((size_t) layer->view * f.rows + p.line / view->down) * f.columns + p.ray / view->across];
  const float share = ray.length / (view->across * view->down);
  rays[layer->first + (long) p.line * layer->columns + p.ray] = ray.along == layer->axis ? share * value : 0;
}

typedef struct {
  int width, height, depth;      // voxels of the block
  int first_z;                   // slices of the volume before the block
  float axis_x, axis_y, radius; // of the circle outside of which voxels are 0
  int count;                     // number of layers
  int first;                     // whether sums begin
} Volume;

// A layer as a work-group sees it. Vectors have the order: across the axis, the other way across, along the axis. The
// first one is x or y in a slice, and the second z, unless rays go along z.
typedef struct {
  int column, row;           // whole part of the place of the group's first voxel
  float to_column, to_row;   // the rest
  float columns[3], rows[3]; // of a voxel's offset: products that, divided by the depth, are the change of the place
  float depth, depths[3];
  float from[3];           // from the source to the group's first voxel, or direction of the rays
  float across[3], down[3];
} Sight;

inline int axis_of (int axis, int i) // the axis that is number i in the order of a sight
{
  return i == 2 ? axis : i == 1 ? (axis == 2 ? 1 : 2) : (axis == 0 ? 1 : 0);
}

inline void look (constant const Layer *layer, const double at[3], local Sight *sight)
{
  const double depth = layer->depth[0] * at[0] + layer->depth[1] * at[1] + layer->depth[2] * at[2] + layer->depth[3];
  const double column =
      (layer->column[0] * at[0] + layer->column[1] * at[1] + layer->column[2] * at[2] + layer->column[3]) / depth;
  const double row = (layer->row[0] * at[0] + layer->row[1] * at[1] + layer->row[2] * at[2] + layer->row[3]) / depth;
  // A group that contains the source's plane sees nothing of this layer's rays; any place will do.
  const double near_column = clamp (floor (column), -1e9, 1e9), near_row = clamp (floor (row), -1e9, 1e9);
  sight->column = (int) near_column;
  sight->row = (int) near_row - layer->first_line;
  sight->to_column = (float) (column - near_column);
  sight->to_row = (float) (row - near_row);
  sight->depth = (float) depth;
  for (int i = 0; i < 3; i++) {
    const int k = axis_of (layer->axis, i);
    sight->columns[i] = (float) (layer->column[k] - column * layer->depth[k]);
    sight->rows[i] = (float) (layer->row[k] - row * layer->depth[k]);
    sight->depths[i] = (float) layer->depth[k];
    sight->from[i] = (float) (layer->cone ? at[k] - layer->source[k] : layer->source[k]);
    sight->across[i] = layer->across[k];
    sight->down[i] = layer->down[k];
  }
}

// The hat function.
inline float near (float distance)
{
  return fmax (0.0f, 1 - fabs (distance));
}

#if defined UPRIGHT && ONCE == 2
#include "shared-rays.cl"
#else
#ifdef UPRIGHT
// Lines of rays are parallel to z, so a voxel's column and depth, and its distance from the rays of a column, are those
// of all voxels above it. Along a column, rays pass the plane at equal distances.

// The rays of one column: ray t + i step passes at the height of voxel i, and rays are `apart` from each other.
typedef struct {
  float t, step, apart, weight;
} Column;

#define LARGE 12582912.0f

#if ONCE
// A ray between two voxels of a column weighs 1 - f for the one below it and f for the one above, if f is its height
// over the lower one. So each ray is read and placed once. Number of rays between two voxels: at most
#define RAYS ((NEAR + 1) / 2)

// Adds the rays of a column to SIDE columns of voxels that are side by side, from that below the first voxels to that
// above the last. `most`: of rays between two voxels. `first` is row 0, `weights` are those of the columns of voxels.
// The number of a row comes from the bits of a float too large for fractions, which is cheaper than floor and
// conversion. Whatever the roundings, each ray lies between two voxels, and those of a column share it.
inline __attribute__ ((always_inline)) void
add_column (const int most, const Column c, const float weights[SIDE], global const float *first, int row, int lines,
            int line, float sums[SIDE][Z])
{
  const bool falls = c.step < 0; // rows count downward
  const float step = fabs (c.step), start = (falls ? -c.t : c.t) + 0.5f;
  const int bias = as_int (LARGE) + (falls ? row - lines + 1 : -row), next_row = falls ? -line : line;
  global const float *lowest = falls ? first + (long) (lines - 1) * line : first;
  float at = start - step, begin = at + LARGE;
#pragma unroll
  for (int i = -1; i < Z; i++) {
    const float next = fma (i + 1, step, start), end = next + LARGE; // rays from `begin` on, before `end`
    const float height = fma (begin - LARGE - at, c.apart, 0.5f * c.apart);
    float all = 0, above = 0;
#pragma unroll
    for (int k = 0; k < RAYS; k++)
      if (k < most) {
        const int number = as_int (begin) - bias + k;
        float value = 0;
        if ((k == 0 ? begin : begin + k) < end && (uint) number < (uint) lines)
          value = lowest[number * next_row];
        all = k == 0 ? value : all + value;
        above = k == 0 ? height * value : fma (fma (k, c.apart, height), value, above);
      }
    const float below = all - above;
#pragma unroll
    for (int b = 0; b < SIDE; b++) {
      if (i >= 0)
        sums[b][max (i, 0)] = fma (weights[b], below, sums[b][max (i, 0)]);
      if (i + 1 < Z)
        sums[b][min (i + 1, Z - 1)] = fma (weights[b], above, sums[b][min (i + 1, Z - 1)]);
    }
    at = next;
    begin = end;
  }
}

// Adds a layer to voxels of one plane: SIDE columns, side by side across the axis of the rays.
inline __attribute__ ((always_inline)) void
add_plane (constant const Layer *layer, local const Sight *s, const float over, const float along,
           global const float *rays, float sums[SIDE][Z])
{
  const float cone = layer->cone;
  const float depth = fma (s->depths[0], over, fma (s->depths[2], along, s->depth)), inverse = 1 / depth;
  const float r = fma (fma (s->columns[0], over, s->columns[2] * along), inverse, s->to_column);
  const float ahead = fma (cone, along, s->from[2]), aside = fma (cone, over, s->from[0]);
  const float middle = 0.5f * (SIDE - 1) * cone;
  if (fabs (aside + middle) > fabs (ahead) + (1.01f + middle)) // all rays that pass here go along the other axis
    return;
  const float shorter = 1 / ahead;
  const float apart_here = depth * (s->across[0] - aside * shorter * s->across[2]); // of columns on the plane
  const float deeper = cone * depth * s->across[2] * shorter, slant = s->across[2] / s->down[1] * shorter;
  const float near_reach = 1 / (fabs (apart_here) - fabs (deeper)),
              far_reach = SIDE == 1 ? near_reach : SIDE / (fabs (apart_here) - SIDE * fabs (deeper));
  const float row = fma (fma (s->rows[0], over, s->rows[2] * along), inverse, s->to_row), rise = s->rows[1] * inverse;
  const int begin = max ((int) ceil (r - (apart_here > 0 ? near_reach : far_reach)), -s->column),
            end = min ((int) floor (r + (apart_here > 0 ? far_reach : near_reach)), layer->columns - 1 - s->column);
  for (int n = begin; n <= end; n++) {
    const float e = n - r, closer = 1 / fma (deeper, e, 1), turn = e * slant, beside = apart_here * e * closer;
    const Column c = {fma (turn, s->from[1], row), fma (cone, turn, rise), fabs (depth * s->down[1] * closer), 0};
    float weights[SIDE];
#pragma unroll
    for (int b = 0; b < SIDE; b++)
      weights[b] = near (beside - b);
    global const float *first = rays + layer->first + s->column + n;
    // Roundings give two rays to a pair of voxels that is hardly closer than they are.
    if (RAYS == 1 || c.apart >= 1.001f)
      add_column (1, c, weights, first, s->row, layer->lines, layer->columns, sums);
    else
      add_column (RAYS, c, weights, first, s->row, layer->lines, layer->columns, sums);
  }
}

#else
// Adds the rays of a column, of which `count` around each voxel may weigh something; `first` is row 0. The number of a
// row comes from the bits of a float too large for fractions, which is cheaper than floor and conversion.
inline __attribute__ ((always_inline)) void
add_column (const int count, const Column c, global const float *first, int row, int lines, int line, float sums[Z])
{
#pragma unroll
  for (int i = 0; i < Z; i++) {
    const float at = fma (i, c.step, c.t), raised = at - (0.5f * count - 0.5f) + LARGE;
    const int begin = clamp (as_int (raised) - as_int (LARGE) + row, -NEAR, lines);
    const float before = (raised - LARGE - at) * c.apart;
    global const float *from = first + begin * line;
    float sum = near (before) * *from;
#pragma unroll
    for (int j = 1; j < NEAR; j++)
      if (j < count)
        sum = fma (near (fma (j, c.apart, before)), from[j * line], sum);
    sums[i] = fma (c.weight, sum, sums[i]);
  }
}

inline __attribute__ ((always_inline)) void
add_layer (constant const Layer *layer, local const Sight *s, const int2 offset, global const float *rays,
           float sums[Z])
{
  const float over = layer->axis == 0 ? offset.y : offset.x, along = layer->axis == 0 ? offset.x : offset.y;
  const float cone = layer->cone;
  const float depth = fma (s->depths[0], over, fma (s->depths[2], along, s->depth)), inverse = 1 / depth;
  const float r = fma (fma (s->columns[0], over, s->columns[2] * along), inverse, s->to_column);
  const float ahead = fma (cone, along, s->from[2]), aside = fma (cone, over, s->from[0]);
  if (fabs (aside) > fabs (ahead) + 1.01f) // all rays that pass here go along the other axis
    return;
  const float shorter = 1 / ahead;
  const float apart_here = depth * (s->across[0] - aside * shorter * s->across[2]); // of columns on the plane
  const float deeper = cone * depth * s->across[2] * shorter;
  const float reach = 1 / (fabs (apart_here) - fabs (deeper));
  const float row = fma (fma (s->rows[0], over, s->rows[2] * along), inverse, s->to_row), rise = s->rows[1] * inverse;
  const int begin = max ((int) ceil (r - reach), -s->column),
            end = min ((int) floor (r + reach), layer->columns - 1 - s->column);
  for (int n = begin; n <= end; n++) {
    const float e = n - r, closer = 1 / fma (deeper, e, 1);
    const float turn = e * s->across[2] / s->down[1] * shorter;
    const Column c = {fma (turn, s->from[1], row), fma (cone, turn, rise), fabs (depth * s->down[1] * closer),
                      near (apart_here * e * closer)};
    global const float *first = rays + layer->first + s->column + n;
    if (NEAR == 2 || c.apart >= 1)
      add_column (2, c, first, s->row, layer->lines, layer->columns, sums);
    else
      add_column (NEAR, c, first, s->row, layer->lines, layer->columns, sums);
  }
}
#endif

#else
// Each voxel by itself.

inline void add_voxel (constant const Layer *layer, local const Sight *s, const float3 o, global const float *rays,
                       float *sum)
{
  const float cone = layer->cone;
  const float depth = fma (s->depths[0], o.x, fma (s->depths[1], o.y, fma (s->depths[2], o.z, s->depth))),
              inverse = 1 / depth;
  const float r = fma (fma (s->columns[0], o.x, fma (s->columns[1], o.y, s->columns[2] * o.z)), inverse, s->to_column),
              q = fma (fma (s->rows[0], o.x, fma (s->rows[1], o.y, s->rows[2] * o.z)), inverse, s->to_row);
  const float ahead = fma (cone, o.z, s->from[2]), one = fma (cone, o.x, s->from[0]),
              other = fma (cone, o.y, s->from[1]);
  if (fmax (fabs (one), fabs (other)) > fabs (ahead) + 1.01f) // all rays that pass here go along another axis
    return;
  const float shorter = 1 / ahead, slope = one * shorter, slant = other * shorter;
  // Changes of the distances on the plane, and of the depth, from ray to ray and from line to line.
  const float one_r = depth * (s->across[0] - slope * s->across[2]), one_q = depth * (s->down[0] - slope * s->down[2]),
              other_r = depth * (s->across[1] - slant * s->across[2]),
              other_q = depth * (s->down[1] - slant * s->down[2]), deeper_r = cone * depth * s->across[2] * shorter,
              deeper_q = cone * depth * s->down[2] * shorter;
  const float area = 1 / fabs (one_r * other_q - one_q * other_r);
  float reach_r = (fabs (other_q) + fabs (one_q)) * area, reach_q = (fabs (other_r) + fabs (one_r)) * area;
  const float wider = 1 + 2 * fma (fabs (deeper_r), reach_r, fabs (deeper_q) * reach_q);
  reach_r *= wider;
  reach_q *= wider;
  const int left = max ((int) ceil (r - reach_r), -s->column),
            right = min ((int) floor (r + reach_r), layer->columns - 1 - s->column),
            top = max ((int) ceil (q - reach_q), -s->row),
            bottom = min ((int) floor (q + reach_q), layer->lines - 1 - s->row);
  for (int j = top; j <= bottom; j++) {
    global const float *line = rays + layer->first + (long) (s->row + j) * layer->columns + s->column;
    const float v = j - q;
    for (int i = left; i <= right; i++) {
      const float u = i - r, closer = 1 / fma (deeper_r, u, fma (deeper_q, v, 1));
      const float weight = near (fma (one_r, u, one_q * v) * closer) * near (fma (other_r, u, other_q * v) * closer);
      *sum = fma (weight, line[i], *sum);
    }
  }
}

inline __attribute__ ((always_inline)) void
add_layer (constant const Layer *layer, local const Sight *s, const int2 offset, global const float *rays,
           float sums[Z])
{
  const float x = offset.x, y = offset.y;
#pragma unroll
  for (int i = 0; i < Z; i++) {
    const float3 place = layer->axis == 0   ? (float3) (y, i, x)
                         : layer->axis == 1 ? (float3) (x, i, y)
                                            : (float3) (x, y, i);
    add_voxel (layer, s, place, rays, sums + i);
  }
}
#endif

// Sums of SIDE x SIDE columns of voxels, in the order of lines and columns of a slice.
#if defined UPRIGHT && ONCE
#define PLANES 1 // lines of sums must be across the axis of the rays
inline __attribute__ ((always_inline)) void
add_block (constant const Layer *layer, local const Sight *s, const int2 offset, global const float *rays,
           float sums[SIDE][SIDE][Z])
{
#pragma unroll
  for (int a = 0; a < SIDE; a++) {
    const float over = layer->axis == 0 ? offset.y : offset.x, along = (layer->axis == 0 ? offset.x : offset.y) + a;
    add_plane (layer, s, over, along, rays, sums[a]);
  }
}
#else
#define PLANES 0
inline __attribute__ ((always_inline)) void
add_block (constant const Layer *layer, local const Sight *s, const int2 offset, global const float *rays,
           float sums[SIDE][SIDE][Z])
{
#pragma unroll
  for (int a = 0; a < SIDE; a++)
#pragma unroll
    for (int b = 0; b < SIDE; b++)
      add_layer (layer, s, offset + (int2) (b, a), rays, sums[a][b]);
}
#endif

// Exchanges lines and columns of a block.
inline __attribute__ ((always_inline)) void transpose (float sums[SIDE][SIDE][Z])
{
#pragma unroll
  for (int a = 0; a < SIDE; a++)
#pragma unroll
    for (int b = 0; b < a; b++)
#pragma unroll
      for (int i = 0; i < Z; i++) {
        const float other = sums[a][b][i];
        sums[a][b][i] = sums[b][a][i];
        sums[b][a][i] = other;
      }
}

inline global float *voxel (const Volume v, int x, int y, int z, global float *volume)
{
  return volume + ((size_t) z * v.height + y) * v.width + x;
}

inline bool inside (const Volume v, int x, int y, int z)
{
  return x < v.width && y < v.height && z >= 0 && z < v.depth;
}

// Groups are side by side, then below each other; then come the next Z slices.
kernel __attribute__ ((reqd_work_group_size (WIDE, HIGH, 1))) void
gather (constant const Layer *layers, const Volume v, global const float *rays, global float *volume)
{
  local Sight sights[VIEWS];
  const int high = (v.height + SIDE * HIGH - 1) / (SIDE * HIGH) * HIGH, line = get_global_id (1);
  const int x = SIDE * get_global_id (0), y = line % high * SIDE, slab = v.first_z / Z + line / high;
  const int2 item = (int2) (get_local_id (0), get_local_id (1)), offset = SIDE * item;
  const double at[3] = {x - offset.x, y - offset.y, (double) slab * Z};
  for (int i = item.y * WIDE + item.x; i < v.count; i += WIDE * HIGH)
    look (layers + i, at, sights + i);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (x >= v.width || y >= v.height)
    return;
  const int z = slab * Z - v.first_z; // of the first voxel in the block, in which some may not lie
  float sums[SIDE][SIDE][Z];
#pragma unroll
  for (int a = 0; a < SIDE; a++)
#pragma unroll
    for (int b = 0; b < SIDE; b++)
#pragma unroll
      for (int i = 0; i < Z; i++)
        sums[a][b][i] = v.first || !inside (v, x + b, y + a, z + i) ? 0 : *voxel (v, x + b, y + a, z + i, volume);
  bool turned = false; // whether voxels across the axis of the rays are in a line of `sums`
  for (int i = 0; i < v.count; i++) {
    const bool turns = PLANES && SIDE > 1 && (layers[i].axis == 0) != turned;
    if (turns)
      transpose (sums);
    turned = turned != turns;
    add_block (layers + i, sights + i, offset, rays, sums);
  }
  if (turned)
    transpose (sums);
#pragma unroll
  for (int a = 0; a < SIDE; a++)
#pragma unroll
    for (int b = 0; b < SIDE; b++) {
      const float from_x = x + b - v.axis_x, from_y = y + a - v.axis_y;
      const bool seen = !(fma (from_x, from_x, from_y * from_y) > v.radius * v.radius);
#pragma unroll
      for (int i = 0; i < Z; i++)
        if (inside (v, x + b, y + a, z + i))
          *voxel (v, x + b, y + a, z + i, volume) = seen ? sums[a][b][i] : 0;
    }
}
#endif
