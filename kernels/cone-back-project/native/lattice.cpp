// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/cone-back-project/native/lattice.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace sino::cone_back_project {

namespace {

constexpr int taps = 2;         // nodes on either side that interpolation needs
constexpr int spline_reach = 3; // nodes on either side that influence a spline coefficient noticeably
constexpr double steepest_lattice = 2;

struct Point {
  double x, y; // columns and lines of a tile
};

double dot (Point p, Point q)
{
  return p.x * q.x + p.y * q.y;
}

// Geometry of a view for a tile. All voxels of a column (along z) have the same detector column and depth.
class Sightline
{
public:
  Sightline (const Job &job, const Tile &tile, const Matrix &m) : size (job.volume.size), matrix (m)
  {
    start = job.volume.first + size * Vector{static_cast<double> (tile.x), static_cast<double> (tile.y), 0};
  }

  double depth (Point p) const { return at (2, p, 0); }
  // Change of the detector column per voxel in x and y.
  Point columns (Point p) const { return change (0, p, 0); }
  // Change of the detector row per voxel in x and y, for slice z.
  Point rows (Point p, double z) const { return change (1, p, z); }
  double step (Point p) const { return matrix[1][2] * size / depth (p); }

private:
  double size;
  const Matrix &matrix;
  Vector start;

  double at (size_t k, Point p, double z) const
  {
    return matrix[k][0] * (start.x + size * p.x) + matrix[k][1] * (start.y + size * p.y) +
           matrix[k][2] * (start.z + size * z) + matrix[k][3];
  }
  Point change (size_t k, Point p, double z) const
  {
    const double w = depth (p), place = at (k, p, z) / w;
    return {size * (matrix[k][0] - place * matrix[2][0]) / w, size * (matrix[k][1] - place * matrix[2][1]) / w};
  }
};

std::array<Point, 4> corners_of (const Tile &tile)
{
  const auto x = static_cast<double> (tile.columns - 1), y = static_cast<double> (tile.lines - 1);
  return {{{0, 0}, {x, 0}, {x, y}, {0, y}}};
}

// Middle of the lattice, and vectors between nodes, in columns and lines.
struct Grid {
  Point middle, across, along;
};

std::optional<Grid> grid_of (const Job &job, const Tile &tile, int64_t first, int count)
{
  const auto corners = corners_of (tile);
  const Point middle{0.5 * corners[2].x, 0.5 * corners[2].y};
  const auto slices = slab_slices (job, tile.slab);
  std::array<double, 2> ends{static_cast<double> (slices.begin), static_cast<double> (slices.end - 1)};
  const auto each = [&] (const auto &f) {
    for (int i = 0; i < count; i++)
      f (Sightline (job, tile, job.projections[static_cast<size_t> (first + i)].matrix));
  };
  Point mean{0, 0};
  double scale = 0; // detector columns per voxel
  each ([&] (const Sightline &view) {
    const auto columns = view.columns (middle);
    const double size = std::hypot (columns.x, columns.y);
    mean = {mean.x + columns.x / size, mean.y + columns.y / size};
    scale = std::max (scale, size);
  });
  const double size = std::hypot (mean.x, mean.y);
  if (!(size > 0.7 * count)) // views from too different directions
    return {};
  const Point across{mean.x / size, mean.y / size}, along{-across.y, across.x};
  // Along the lattice's rays, projected positions move sideways and vertically on the detector; this limits the pitch.
  double most = lattice_pitch / std::max (middle.x, middle.y);
  each ([&] (const Sightline &view) {
    for (const auto corner : corners) {
      most = std::max (most, std::abs (dot (view.columns (corner), along)));
      for (const double z : ends)
        most = std::max (most, std::abs (dot (view.rows (corner, z), along)));
    }
  });
  const double wide = lattice_pitch / scale, deep = lattice_pitch / most;
  return Grid{middle, {wide * across.x, wide * across.y}, {deep * along.x, deep * along.y}};
}

struct Span {
  double least = HUGE_VAL, most = -HUGE_VAL;
  void take (double v)
  {
    least = std::min (least, v);
    most = std::max (most, v);
  }
};

// Returns the coordinate of a column of voxels along `direction`, from the middle of the lattice, in nodes.
double place (Point p, Point direction)
{
  return dot (p, direction) / dot (direction, direction);
}

// Returns the range, across the rays, of the part of the tile that is at most `reach` rows from row `row`.
Span seen_from (double row, double reach, const std::array<Point, 4> &corners)
{
  Span span;
  for (size_t i = 0; i < 4; i++) {
    const auto p = corners[i], q = corners[(i + 1) % 4];
    if (std::abs (p.y - row) <= reach)
      span.take (p.x);
    for (const double at : {row - reach, row + reach})
      if ((p.y - at) * (q.y - at) < 0)
        span.take (p.x + (at - p.y) / (q.y - p.y) * (q.x - p.x));
  }
  return span;
}

// Determines the nodes that all voxels of the tile need. Returns false if there are too many.
bool lay (const Grid &grid, const Tile &tile, Lattice &lattice, std::array<double, 2> &first)
{
  auto corners = corners_of (tile); // in lattice coordinates
  Span a, b;
  for (auto &corner : corners) {
    const Point p{corner.x - grid.middle.x, corner.y - grid.middle.y};
    corner = {place (p, grid.across), place (p, grid.along)};
    a.take (corner.x);
    b.take (corner.y);
  }
  // One more on either side, because columns of voxels at the edge may be rounded to beyond it.
  first = {std::floor (a.least) - taps - spline_reach, std::floor (b.least) - taps};
  const double rows = std::floor (b.most) + taps + 2 - first[1];
  if (rows > Lattice::most_rows)
    return false;
  lattice.rows = static_cast<int> (rows);
  lattice.nodes = 0;
  for (int k = 0; k < lattice.rows; k++) {
    const auto span = seen_from (first[1] + k, taps + 1e-3, corners);
    const bool any = span.least <= span.most;
    lattice.begin[k] = any ? static_cast<int> (std::floor (span.least) - first[0]) - taps - spline_reach + 1 : 0;
    lattice.end[k] = any ? static_cast<int> (std::floor (span.most) - first[0]) + taps + spline_reach + 1 : 0;
    lattice.start[k] = lattice.nodes;
    lattice.nodes += lattice.end[k] - lattice.begin[k];
  }
  return lattice.nodes <= Lattice::most_nodes * static_cast<double> (tile.columns * tile.lines);
}

} // namespace

std::optional<Lattice> lattice_of (const Job &job, const Tile &tile, int64_t first, int count)
{
  if (tile.columns == 1 && tile.lines == 1) // the tile has no extent
    return {};
  const auto grid = grid_of (job, tile, first, count);
  std::array<double, 2> from{};
  Lattice lattice;
  if (!grid || !lay (*grid, tile, lattice, from))
    return {};
  const Point origin{grid->middle.x + from[0] * grid->across.x + from[1] * grid->along.x,
                     grid->middle.y + from[0] * grid->across.y + from[1] * grid->along.y};
  Span x, y;
  for (int k = 0; k < lattice.rows; k++)
    for (const int j : {lattice.begin[k], std::max (lattice.begin[k], lattice.end[k] - 1)}) {
      x.take (origin.x + j * grid->across.x + k * grid->along.x);
      y.take (origin.y + j * grid->across.y + k * grid->along.y);
    }
  const double left = std::floor (x.least), top = std::floor (y.least);
  lattice.around = {.slab = tile.slab,
                    .x = tile.x + static_cast<int64_t> (left),
                    .y = tile.y + static_cast<int64_t> (top),
                    .columns = static_cast<int64_t> (std::ceil (x.most) - left) + 1,
                    .lines = static_cast<int64_t> (std::ceil (y.most) - top) + 1,
                    .side = tile.side};
  for (int i = 0; i < count; i++) {
    const Sightline view (job, lattice.around, job.projections[static_cast<size_t> (first + i)].matrix);
    for (const auto corner : corners_of (lattice.around))
      if (!(view.depth (corner) > 0) || view.step (corner) > steepest_lattice)
        return {};
  }
  const auto store = [] (float (&to)[2], double p, double q) {
    to[0] = static_cast<float> (p);
    to[1] = static_cast<float> (q);
  };
  store (lattice.origin, origin.x - left, origin.y - top);
  store (lattice.across, grid->across.x, grid->across.y);
  store (lattice.along, grid->along.x, grid->along.y);
  const auto plane = [&] (float (&to)[3], Point direction, double begin) {
    const double size = dot (direction, direction);
    to[0] = static_cast<float> (-place (grid->middle, direction) - begin);
    to[1] = static_cast<float> (direction.x / size);
    to[2] = static_cast<float> (direction.y / size);
  };
  plane (lattice.a, grid->across, from[0]);
  plane (lattice.b, grid->along, from[1]);
  return lattice;
}

double lattice_share (const Job &job)
{
  const auto &volume = job.volume;
  const auto last = [] (int64_t n, int64_t size) { return (n - 1) / size; };
  const auto across = last (volume.columns, wide_tile_size), down = last (volume.lines, wide_tile_size),
             slabs = last (volume.slices, slab_size);
  int tried = 0, laid = 0;
  for (const auto slab : {int64_t{0}, slabs / 2, slabs})
    for (const auto x : {int64_t{0}, across / 2, across})
      for (const auto y : {int64_t{0}, down / 2}) {
        const Tile tile{.slab = slab,
                        .x = x * wide_tile_size,
                        .y = y * wide_tile_size,
                        .columns = std::min<int64_t> (wide_tile_size, volume.columns - x * wide_tile_size),
                        .lines = std::min<int64_t> (wide_tile_size, volume.lines - y * wide_tile_size),
                        .side = wide_tile_size};
        const auto views = std::ssize (job.projections);
        for (int64_t part = 0; part < 8; part++) {
          const auto first = views * part / 8 / batch_size * batch_size;
          const int count = static_cast<int> (std::min<int64_t> (batch_size, views - first));
          laid += lattice_of (job, tile, first, count).has_value ();
          tried++;
        }
      }
  return static_cast<double> (laid) / tried;
}

} // namespace sino::cone_back_project
