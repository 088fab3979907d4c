// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/native/tile.hpp"
#include "back-project/native/cell.hpp"
#include "back-project/native/half.hpp"
#include "back-project/native/hold.hpp"
#include "back-project/native/stack.hpp"
#include "interleave/interleave.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sino::back_project {

namespace {

constexpr int cells_per_side = tile_size / cell_size;

struct Memory {
  float *sums;       // [y][x][lane] of the tile
  float *spare;      // a row of pixels
  std::byte *copies; // windows of a batch
};

size_t sums_length (int lanes)
{
  return static_cast<size_t> (tile_size) * tile_size * static_cast<size_t> (lanes);
}

// Bins of a window that may be read.
int64_t read_bins (int lanes, int fine)
{
  return lanes == 1 ? std::max (single_window_bins, window_bins (fine)) : window_bins (fine);
}

size_t window_bytes (int lanes, int fine)
{
  const auto n = static_cast<size_t> (read_bins (lanes, fine) * lanes) * sizeof (float);
  return (n + 63) / 64 * 64;
}

// Whether the centre of a pixel lies in the inscribed circle. Exact: twice the coordinates are integers.
bool in_circle (int64_t size, int64_t x, int64_t y)
{
  const int64_t dx = 2 * x + 1 - size, dy = 2 * y + 1 - size;
  return dx * dx + dy * dy <= size * size;
}

// The pixel of [begin, end) that is nearest to the slice's centre.
int64_t innermost (int64_t begin, int64_t end, int64_t size)
{
  return std::clamp (size / 2, begin, end - 1);
}

struct Cell {
  int64_t x, y;
  CellPart part;
};

// The part of a cell that someone will see.
bool visible (const Tile &tile, Cell &cell)
{
  const auto &roi = tile.roi;
  const auto left = std::max (cell.x, roi.x), right = std::min (cell.x + cell_size, roi.x + roi.width);
  const auto top = std::max (cell.y, roi.y), bottom = std::min (cell.y + cell_size, roi.y + roi.height);
  if (left >= right || top >= bottom)
    return false;
  if (tile.mask && !in_circle (tile.size, innermost (left, right, tile.size), innermost (top, bottom, tile.size)))
    return false;
  cell.part = {static_cast<int> (left - cell.x), static_cast<int> (right - cell.x), static_cast<int> (top - cell.y),
               static_cast<int> (bottom - cell.y)};
  return true;
}

// The bins [first, first + n) of a ray, as the innermost loops read them; 0 where none are held.
void copy_window (const Bins &bins, size_t ray, int64_t first, int64_t n, std::byte *out)
{
  const auto begin = std::clamp (first, bins.first, bins.first + bins.count);
  const auto end = std::clamp (first + n, begin, bins.first + bins.count);
  const auto lanes = static_cast<size_t> (bins.lanes), out_bytes = lanes * sizeof (float);
  const auto before = static_cast<size_t> (std::clamp<int64_t> (begin - first, 0, n));
  const auto held = static_cast<size_t> (end - begin);
  const auto at = ray * static_cast<size_t> (bins.count) + static_cast<size_t> (begin - bins.first);
  const std::byte *in = bins.data + at * bins.bytes ();
  std::memset (out, 0, before * out_bytes);
  out += before * out_bytes;
  if (bins.sample == Sample::halves)
    half_to_float (in, reinterpret_cast<float *> (out), held * lanes);
  else
    std::memcpy (out, in, held * out_bytes);
  std::memset (out + held * out_bytes, 0, (static_cast<size_t> (n) - before - held) * out_bytes);
}

// Finds what the cell sees of the rays [begin, begin + batch.count).
void aim (Batch &batch, const Tile &tile, const Cell &cell, const Bins &bins, const RayTable &rays, bool nearest,
          size_t begin, std::byte *copies)
{
  const double to_middle = cell_middle - 0.5 * static_cast<double> (tile.size - 1);
  alignas (64) std::array<int32_t, most_rays> first;
  see_cell (rays, begin, batch.count, nearest, static_cast<double> (cell.x) + to_middle,
            static_cast<double> (cell.y) + to_middle, first.data (), batch.middle);
  const auto n = read_bins (bins.lanes, bins.fine);
  const auto step = window_bytes (bins.lanes, bins.fine);
  for (int i = 0; i < batch.count; i++) {
    const auto ray = begin + static_cast<size_t> (i);
    const int64_t from = first[static_cast<size_t> (i)];
    const bool inside = from >= bins.first && from + n <= bins.first + bins.count;
    if (inside && bins.sample != Sample::halves) {
      const auto at = ray * static_cast<size_t> (bins.count) + static_cast<size_t> (from - bins.first);
      batch.bins[i] = bins.data + at * bins.bytes ();
      continue;
    }
    auto *copy = copies + static_cast<size_t> (i) * step;
    copy_window (bins, ray, from, n, copy);
    batch.bins[i] = copy;
    if (from < bins.first - n || from >= bins.first + bins.count)
      batch.middle[i] = 0; // nothing but zeros; how far away does not matter, but may be more than a window holds
  }
}

void add_rays (const Tile &tile, std::span<const Cell> cells, const Bins &bins, const RayTable &rays, bool nearest,
               const Memory &memory)
{
  const auto most = static_cast<size_t> (batch_size (static_cast<size_t> (bins.lanes) * sizeof (float), bins.fine));
  Batch batch;
  for (size_t begin = 0; begin < rays.count; begin += most) {
    batch.count = static_cast<int> (std::min (most, rays.count - begin));
    for (int i = 0; i < batch.count; i++) {
      const auto k = begin + static_cast<size_t> (i);
      batch.dx[i] = static_cast<float> (rays.cos[k]);
      batch.dy[i] = static_cast<float> (-rays.sin[k]);
      std::fill_n (batch.weight[i], cell_size, rays.weight[k]);
    }
    for (const auto &cell : cells) {
      aim (batch, tile, cell, bins, rays, nearest, begin, memory.copies);
      const auto at = static_cast<size_t> ((cell.y - tile.y) * tile_size + cell.x - tile.x);
      float *sums = memory.sums + at * static_cast<size_t> (bins.lanes);
      if (bins.sample == Sample::differences)
        add_cell_in_half (batch, cell.part, sums, tile_size);
      else
        add_cell (batch, bins, nearest, cell.part, sums, tile_size);
    }
  }
}

// From lanes side by side to one slice after the other.
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
    kernels::take_apart (lanes, sums, end - begin, rows.data ());
  }
}

} // namespace

size_t tile_memory (int lanes, int fine)
{
  return (sums_length (lanes) + tile_size) * sizeof (float) + most_rays * window_bytes (lanes, fine);
}

void add_tile (const Tile &tile, const Bins &bins, const RayTable &rays, bool nearest, const float *scale,
               std::span<float *const> slices, std::byte *memory)
{
  Memory parts;
  parts.sums = reinterpret_cast<float *> (memory);
  parts.spare = parts.sums + sums_length (bins.lanes);
  parts.copies = reinterpret_cast<std::byte *> (parts.spare + tile_size);
  std::array<Cell, cells_per_side * cells_per_side> cells;
  size_t n = 0;
  for (int i = 0; i < cells_per_side * cells_per_side; i++) {
    cells[n] = {tile.x + i % cells_per_side * cell_size, tile.y + i / cells_per_side * cell_size, {}};
    n += visible (tile, cells[n]);
  }
  std::fill_n (parts.sums, sums_length (bins.lanes), 0.0f);
  add_rays (tile, std::span (cells).first (n), bins, rays, nearest, parts);
  store (tile, bins.lanes, scale, slices, parts);
}

} // namespace sino::back_project
