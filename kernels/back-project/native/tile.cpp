// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/back-project/native/tile.hpp"
#include "base/divide-up.hpp"
#include "kernels/back-project/native/cell.hpp"
#include "kernels/back-project/native/half.hpp"
#include "kernels/back-project/native/hold.hpp"
#include "kernels/interleave/interleave.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace sino::back_project {

namespace {

constexpr int cells_per_side = tile_size / cell_size;
// Distance from a tile's middle to the centre of its outermost pixel, relative to that of a cell.
constexpr double tile_cells = (tile_size - 1.0) / (cell_size - 1.0);

struct Memory {
  float *sums;       // [y][x][lane] of the tile
  float *spare;      // a row of pixels
  std::byte *window; // [ray of the batch][bin][lane]
};

size_t sums_length (int lanes)
{
  return static_cast<size_t> (tile_size) * tile_size * static_cast<size_t> (lanes);
}

// Bins that a tile needs of a ray: its diagonal, rounding, a neighbour, and further bins that the last cell reads.
int64_t tile_bins (const Holding &how)
{
  return how.fine > 1 ? 364 : how.lanes == 1 ? 104 : 96;
}

size_t window_bytes (const Holding &how)
{
  return static_cast<size_t> (tile_bins (how)) * how.bin_bytes ();
}

// The pixel of [begin, end) nearest to the slice's centre.
int64_t innermost (int64_t begin, int64_t end, int64_t size)
{
  return std::clamp (size / 2, begin, end - 1);
}

struct Cell {
  int64_t x, y;
  CellPart part;
};

// Whether a part of the cell is in the region and the mask; sets cell.part.
bool visible (const Tile &tile, Cell &cell)
{
  const auto &roi = tile.roi;
  const auto left = std::max (cell.x, roi.x), right = std::min (cell.x + cell_size, roi.x + roi.width);
  const auto top = std::max (cell.y, roi.y), bottom = std::min (cell.y + cell_size, roi.y + roi.height);
  if (left >= right || top >= bottom)
    return false;
  if (tile.mask && !in_circle (tile.size, innermost (left, right, tile.size), innermost (top, bottom, tile.size)))
    return false;
  cell.part = {.left = static_cast<int> (left - cell.x),
               .right = static_cast<int> (right - cell.x),
               .top = static_cast<int> (top - cell.y),
               .bottom = static_cast<int> (bottom - cell.y)};
  return true;
}

// Offset added to a ray's integers before rounding. Projections of a round object without noise are equal, and so would
// be their rounding errors, which would add up; different offsets prevent this. (Multiples of the golden ratio are the
// most uniform sequence: their sum stays within one or two units.) Below 1/2, so that 0 stays 0.
float rounding_offset (size_t ray)
{
  const double turns = (static_cast<double> (ray) + 0.5) * 0.618033988749895;
  return static_cast<float> (turns - std::floor (turns) - 0.5);
}

// Adds rays to a tile, one batch at a time. The bins that the tile needs are copied next to each other and stay in the
// L2 cache; in the sinogram, rays are often a power of two apart and evict each other.
class TileSum
{
public:
  TileSum (const Tile &t, const BinSource &s, const Holding &h, bool n, std::span<const Cell> c, const Memory &m)
      : tile (t), source (s), how (h), nearest (n), cells (c), memory (m), most (batch_size (h.lanes, h.fine))
  {
  }

  void add (size_t k)
  {
    const Ray &ray = source.rays[k];
    const auto i = static_cast<size_t> (batch.count);
    rays.cos[i] = how.fine * ray.cos;
    rays.sin[i] = how.fine * ray.sin;
    rays.origin[i] = how.fine * ray.origin;
    rays.reach[i] = cell_middle * (std::abs (rays.cos[i]) + std::abs (rays.sin[i]));
    number[i] = k;
    if (++batch.count == most)
      flush ();
  }

  void flush ()
  {
    hold ();
    if (batch.count > 0)
      for (const auto &cell : cells) {
        aim (cell);
        const auto at = static_cast<size_t> ((cell.y - tile.y) * tile_size + cell.x - tile.x);
        float *sums = memory.sums + at * static_cast<size_t> (how.lanes);
        if (how.sample == Sample::differences)
          add_cell_in_half (batch, cell.part, sums, tile_size);
        else
          add_cell (batch, how, nearest, cell.part, sums, tile_size);
      }
    batch.count = 0;
  }

private:
  const Tile &tile;
  const BinSource &source;
  const Holding &how;
  const bool nearest;
  const std::span<const Cell> cells;
  const Memory &memory;
  const int most;
  Batch batch{};
  BatchRays rays{};
  std::array<size_t, most_rays> number;
  std::array<int32_t, most_rays> first; // first bin of the tile

  std::byte *window (size_t i) const { return memory.window + i * window_bytes (how); }

  void find (int64_t x, int64_t y, double size, double cells_wide, double from_first, int32_t *bins)
  {
    const double to_middle = 0.5 * (size - 1) - 0.5 * static_cast<double> (tile.size - 1);
    see (rays, batch.count, nearest, static_cast<double> (x) + to_middle, static_cast<double> (y) + to_middle,
         cells_wide, from_first, bins, batch.middle);
  }

  // Copies the bins of the batch's rays; removes rays that do not cross the tile.
  void hold ()
  {
    find (tile.x, tile.y, tile_size, tile_cells, 0, first.data ());
    const auto n = tile_bins (how);
    const auto lanes = static_cast<size_t> (how.lanes);
    size_t kept = 0;
    for (size_t i = 0; i < static_cast<size_t> (batch.count); i++) {
      const int64_t from = first[i] - 1; // rounding of a cell's position may give one less
      if (from + n <= -how.fine || from >= tile.size * how.fine)
        continue;
      const Ray &ray = source.rays[number[i]];
      rays.cos[kept] = rays.cos[i];
      rays.sin[kept] = rays.sin[i];
      rays.origin[kept] = rays.origin[i];
      rays.reach[kept] = rays.reach[i];
      first[kept] = static_cast<int32_t> (from);
      batch.dx[kept] = static_cast<float> (rays.cos[i]);
      batch.dy[kept] = static_cast<float> (-rays.sin[i]);
      std::fill_n (batch.weight[kept], cell_size, how.weighted ? 1 : ray.weight);
      std::array<float, most_lanes> factor;
      for (size_t lane = 0; source.factor && lane < lanes; lane++)
        factor[lane] = source.factor[lane] * (how.weighted ? ray.weight : 1);
      const auto at = number[i] * static_cast<size_t> (tile.size * source.lanes) * (source.half ? 2 : 4);
      const float offset = how.sample == Sample::pairs ? rounding_offset (number[i]) : 0;
      hold_bins ({.bins = static_cast<const std::byte *> (source.bins) + at,
                  .half = source.half,
                  .stride = source.lanes,
                  .lanes = how.lanes,
                  .size = tile.size},
                 how, {source.factor ? factor.data () : nullptr, offset}, from, n, window (kept));
      kept++;
    }
    batch.count = static_cast<int> (kept);
  }

  void aim (const Cell &cell)
  {
    alignas (64) std::array<int32_t, most_rays> bin;
    find (cell.x, cell.y, cell_size, 1, middle_bin (how.fine), bin.data ());
    for (size_t i = 0; i < static_cast<size_t> (batch.count); i++)
      batch.bins[i] = window (i) + static_cast<size_t> (bin[i] - first[i]) * how.bin_bytes ();
  }
};

// Stores lanes into separate slices.
void store (const Tile &tile, int lanes, const float *scale, std::span<float *const> slices, const Memory &memory)
{
  const auto &roi = tile.roi;
  const auto left = std::max (tile.x, roi.x), right = std::min (tile.x + tile_size, roi.x + roi.width);
  const auto top = std::max (tile.y, roi.y), bottom = std::min (tile.y + tile_size, roi.y + roi.height);
  for (auto y = top; y < bottom; y++) {
    auto begin = left, end = right;
    if (tile.mask) {
      while (begin < end && !in_circle (tile.size, begin, y))
        begin++;
      while (begin < end && !in_circle (tile.size, end - 1, y))
        end--;
    }
    float *sums = memory.sums + static_cast<size_t> (((y - tile.y) * tile_size + begin - tile.x) * lanes);
    if (scale)
      scale_lanes (sums, end - begin, lanes, scale);
    std::array<float *, most_lanes> rows;
    rows.fill (memory.spare);
    for (size_t lane = 0; lane < slices.size (); lane++)
      if (slices[lane]) {
        float *row = slices[lane] + (y - roi.y) * roi.width - roi.x;
        std::fill (row + left, row + begin, 0.0f);
        std::fill (row + end, row + right, 0.0f);
        rows[lane] = row + begin;
      }
    interleave::take_apart (lanes, sums, end - begin, rows.data ());
  }
}

} // namespace

size_t tile_memory (const Holding &how)
{
  const auto windows = static_cast<size_t> (batch_size (how.lanes, how.fine)) * window_bytes (how);
  return (sums_length (how.lanes) + tile_size) * sizeof (float) + round_up (windows, size_t{64});
}

void add_tile (const Tile &tile, const BinSource &source, const Holding &how, bool nearest,
               std::span<float *const> slices, std::byte *memory)
{
  Memory parts;
  parts.sums = reinterpret_cast<float *> (memory);
  parts.spare = parts.sums + sums_length (how.lanes);
  parts.window = reinterpret_cast<std::byte *> (parts.spare + tile_size);
  std::array<Cell, cells_per_side * cells_per_side> cells;
  size_t n = 0;
  for (int i = 0; i < cells_per_side * cells_per_side; i++) {
    cells[n] = {tile.x + i % cells_per_side * cell_size, tile.y + i / cells_per_side * cell_size, {}};
    n += visible (tile, cells[n]);
  }
  std::fill_n (parts.sums, sums_length (how.lanes), 0.0f);
  if (n > 0) {
    TileSum rays (tile, source, how, nearest, std::span (cells).first (n), parts);
    for (size_t k = 0; k < source.rays.size (); k++)
      rays.add (k);
    rays.flush ();
  }
  store (tile, how.lanes, source.scale, slices, parts);
}

} // namespace sino::back_project
