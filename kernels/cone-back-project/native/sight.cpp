// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/cone-back-project/native/sight.hpp"
#include <cmath>

namespace sino::cone_back_project {

namespace {

// The linear function a + dx b + dy c.
struct Plane {
  double a, b, c;
  double at (double dx, double dy) const { return a + dx * b + dy * c; }
};

struct Seen {
  double column = HUGE_VAL, row = HUGE_VAL; // least column and row
  // largest values; row: for the first voxels of columns
  double last_column = -HUGE_VAL, last_row = -HUGE_VAL, weight = 0;
};

Seen seen_at_corners (const Tile &tile, const Plane &u, const Plane &v, const Plane &w)
{
  Seen seen;
  for (int i = 0; i < 4; i++) {
    const auto dx = static_cast<double> (i & 1 ? tile.columns - 1 : 0),
               dy = static_cast<double> (i & 2 ? tile.lines - 1 : 0);
    const double near = 1 / w.at (dx, dy);
    seen.column = std::min (seen.column, u.at (dx, dy) * near);
    seen.row = std::min (seen.row, v.at (dx, dy) * near);
    seen.last_column = std::max (seen.last_column, u.at (dx, dy) * near);
    seen.last_row = std::max (seen.last_row, v.at (dx, dy) * near);
    seen.weight = std::max (seen.weight, near * near);
  }
  return seen;
}

} // namespace

Sight sight_of (const Job &job, const Packing &packing, const Tile &tile, int64_t first, int count,
                const float *weights, int block)
{
  Sight sight;
  sight.stride = packing.stride;
  sight.steepest = sight.heaviest = 0;
  const auto &volume = job.volume;
  const auto start = volume.first + volume.size * Vector{static_cast<double> (tile.x), static_cast<double> (tile.y),
                                                         static_cast<double> (tile.slab * slab_size)};
  const auto end_row = static_cast<double> (packing.pad + packing.rows.size ()); // begin of the zeros
  for (int i = 0; i < batch_size; i++) {
    const int view = std::min (i, count - 1);
    const auto &m = job.projections[static_cast<size_t> (first + view)].matrix;
    const auto plane = [&] (size_t k) {
      return Plane{m[k][0] * start.x + m[k][1] * start.y + m[k][2] * start.z + m[k][3], m[k][0] * volume.size,
                   m[k][1] * volume.size};
    };
    const auto w = plane (2);
    const auto moved = [&] (Plane p, double by) { return Plane{p.a + by * w.a, p.b + by * w.b, p.c + by * w.c}; };
    // Columns and rows in the packed layout; values are at the centres of pixels.
    const auto u = moved (plane (0), 2 - 0.5),
               v = moved (plane (1), static_cast<double> (packing.pad - packing.rows.begin) - 0.5);
    const auto seen = seen_at_corners (tile, u, v, w);
    const auto end_column = static_cast<double> (packing.columns + 2);
    const double column = std::clamp (std::floor (seen.column) - 1, 0.0, end_column),
                 row = std::clamp (std::floor ((seen.row - 1) / block), 0.0, std::floor (end_row / block)) * block;
    const auto store = [&] (float (&to)[3][batch_size], const Plane &p) {
      to[0][i] = static_cast<float> (p.a);
      to[1][i] = static_cast<float> (p.b);
      to[2][i] = static_cast<float> (p.c);
    };
    store (sight.u, moved (u, -column));
    store (sight.v, moved (v, -row));
    store (sight.w, w);
    sight.rise[i] = static_cast<float> (m[1][2] * volume.size);
    sight.weight[i] = weights[view];
    sight.last_column[i] = static_cast<float> (end_column - column);
    sight.last_row[i] = static_cast<float> (end_row - row);
    sight.place[i] = static_cast<int32_t> (static_cast<int64_t> (column) * packing.stride + static_cast<int64_t> (row));
    const double step = m[1][2] * volume.size * std::sqrt (seen.weight), rise = step * (slab_size - 1);
    sight.steepest = std::max (sight.steepest, static_cast<float> (step));
    sight.columns[i] = static_cast<int32_t> (std::clamp (seen.last_column - column, 0.0, end_column - column)) + 2;
    sight.rows[i] = static_cast<int32_t> (std::clamp (seen.last_row + rise - row, 0.0, end_row - row)) + 2;
    sight.heaviest = std::max (sight.heaviest, std::abs (weights[view]) * static_cast<float> (seen.weight));
  }
  return sight;
}

} // namespace sino::cone_back_project
