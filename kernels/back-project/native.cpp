// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/native.hpp"
#include "back-project/cell.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sino::back_project {

constexpr int cells_per_tile = tile_size / cell_size;

TileGrid::TileGrid (const Roi &roi)
    : first_column (roi.x / tile_size), first_row (roi.y / tile_size),
      columns ((roi.x + roi.width + tile_size - 1) / tile_size - first_column),
      rows ((roi.y + roi.height + tile_size - 1) / tile_size - first_row)
{
}

namespace {

struct Scratch {
  float *sums;   // [y][x][lane] of the tile
  float *copies; // [ray of the batch][bin][lane]
};

size_t sums_length (int lanes)
{
  return static_cast<size_t> (tile_size) * tile_size * static_cast<size_t> (lanes);
}
size_t copies_length (int lanes)
{
  return static_cast<size_t> (batch_size) * window_bins * static_cast<size_t> (lanes);
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
bool visible (const Job &job, Cell &cell)
{
  const auto &roi = job.roi;
  const auto left = std::max (cell.x, roi.x), right = std::min (cell.x + cell_size, roi.x + roi.width);
  const auto top = std::max (cell.y, roi.y), bottom = std::min (cell.y + cell_size, roi.y + roi.height);
  if (left >= right || top >= bottom)
    return false;
  if (job.mask && !in_circle (job.size, innermost (left, right, job.size), innermost (top, bottom, job.size)))
    return false;
  cell.part = {static_cast<int> (left - cell.x), static_cast<int> (right - cell.x), static_cast<int> (top - cell.y),
               static_cast<int> (bottom - cell.y)};
  return true;
}

// Copies the bins [first, first + window_bins) of a ray as floats, zeros outside the detector.
void copy_bins (const Job &job, size_t ray, int64_t first, float *out)
{
  const auto lanes = static_cast<size_t> (job.lanes);
  const auto begin = std::clamp<int64_t> (first, 0, job.size);
  const auto end = std::clamp<int64_t> (first + window_bins, begin, job.size);
  const auto before = static_cast<size_t> (std::clamp<int64_t> (begin - first, 0, window_bins)) * lanes;
  const auto n = static_cast<size_t> (end - begin) * lanes;
  const auto at = (ray * static_cast<size_t> (job.size) + static_cast<size_t> (begin)) * lanes;
  std::fill_n (out, before, 0.0f);
  if (job.half)
    half_to_float (static_cast<const uint16_t *> (job.bins) + at, out + before, n);
  else
    std::memcpy (out + before, static_cast<const float *> (job.bins) + at, n * sizeof (float));
  std::fill (out + before + n, out + window_bins * lanes, 0.0f);
}

// Coordinates are rounded to float only when they count from the cell's own first bin: in bins of the detector that
// would cost 1e-5.
Window look (const Job &job, size_t k, const Cell &cell, float *copy)
{
  const Ray &ray = job.rays[k];
  const double to_middle = cell_middle - 0.5 * static_cast<double> (job.size - 1);
  const double x = static_cast<double> (cell.x) + to_middle, y = static_cast<double> (cell.y) + to_middle;
  const double u = ray.origin + x * ray.cos - y * ray.sin + (job.nearest ? 0.5 : 0.0);
  const double least = u - cell_middle * (std::abs (ray.cos) + std::abs (ray.sin));
  if (!(least > -window_bins && least < static_cast<double> (job.size))) {
    copy_bins (job, k, job.size, copy); // nothing but zeros
    return {copy, 0, 0, 0, ray.weight};
  }
  const auto first = static_cast<int64_t> (least + window_bins) - window_bins; // floor
  Window window{copy, static_cast<float> (u - static_cast<double> (first + middle_bin)), static_cast<float> (ray.cos),
                static_cast<float> (-ray.sin), ray.weight};
  const auto lanes = static_cast<size_t> (job.lanes);
  if (job.half || job.lanes == 1 || first < 0 || first + window_bins > job.size)
    copy_bins (job, k, first, copy);
  else
    window.bins = static_cast<const float *> (job.bins) +
                  (k * static_cast<size_t> (job.size) + static_cast<size_t> (first)) * lanes;
  return window;
}

void add_rays (const Job &job, std::span<const Cell> cells, int64_t tile_x, int64_t tile_y, const Scratch &scratch)
{
  const auto lanes = static_cast<size_t> (job.lanes);
  std::array<Window, batch_size> windows;
  for (size_t first = 0; first < job.rays.size (); first += batch_size) {
    const auto count = std::min<size_t> (batch_size, job.rays.size () - first);
    for (const auto &cell : cells) {
      for (size_t i = 0; i < count; i++)
        windows[i] = look (job, first + i, cell, scratch.copies + i * window_bins * lanes);
      const auto at = static_cast<size_t> ((cell.y - tile_y) * tile_size + cell.x - tile_x) * lanes;
      add_cell (windows.data (), static_cast<int> (count), job.lanes, job.nearest, cell.part, scratch.sums + at,
                tile_size);
    }
  }
}

// From lanes side by side to one slice after the other.
void store (const Job &job, int64_t tile_x, int64_t tile_y, const float *sums, std::span<float *const> slices)
{
  const auto &roi = job.roi;
  const auto left = std::max (tile_x, roi.x), right = std::min (tile_x + tile_size, roi.x + roi.width);
  const auto top = std::max (tile_y, roi.y), bottom = std::min (tile_y + tile_size, roi.y + roi.height);
  const auto lanes = static_cast<size_t> (job.lanes);
  for (auto y = top; y < bottom; y++) {
    auto begin = left, end = right;
    if (job.mask) {
      while (begin < end && !in_circle (job.size, begin, y))
        begin++;
      while (begin < end && !in_circle (job.size, end - 1, y))
        end--;
    }
    for (size_t lane = 0; lane < slices.size (); lane++) {
      float *out = slices[lane] + (y - roi.y) * roi.width - roi.x;
      const float *in = sums + static_cast<size_t> ((y - tile_y) * tile_size) * lanes + lane;
      std::fill (out + left, out + begin, 0.0f);
      for (auto x = begin; x < end; x++)
        out[x] = in[static_cast<size_t> (x - tile_x) * lanes];
      std::fill (out + end, out + right, 0.0f);
    }
  }
}

} // namespace

size_t scratch_size (int lanes)
{
  return (sums_length (lanes) + copies_length (lanes)) * sizeof (float);
}

void back_project_tile (const Job &job, int64_t x, int64_t y, std::span<float *const> slices, std::byte *memory)
{
  const Scratch scratch{reinterpret_cast<float *> (memory),
                        reinterpret_cast<float *> (memory) + sums_length (job.lanes)};
  std::array<Cell, cells_per_tile * cells_per_tile> cells;
  size_t n = 0;
  for (int i = 0; i < cells_per_tile * cells_per_tile; i++) {
    cells[n] = {x + i % cells_per_tile * cell_size, y + i / cells_per_tile * cell_size, {}};
    n += visible (job, cells[n]);
  }
  std::fill_n (scratch.sums, sums_length (job.lanes), 0.0f);
  add_rays (job, std::span (cells).first (n), x, y, scratch);
  store (job, x, y, scratch.sums, slices);
}

} // namespace sino::back_project
