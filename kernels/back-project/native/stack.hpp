// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection of a stack of sinograms on the CPU. The full slice is divided into tiles whose sums fit the L2 cache.
// Tiles are independent, so threads share nothing, and the bits of a pixel depend neither on the region of interest nor
// on the lane.
#pragma once
#include "kernels/back-project/native/bins.hpp"
#include "kernels/back-project/native/tile.hpp"
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace sino::back_project {

// The tiles that overlap a region, row by row from the top left.
class TileGrid
{
public:
  explicit TileGrid (const Roi &roi);

  int64_t count () const { return columns * rows; }
  int64_t x (int64_t tile) const { return (first_column + tile % columns) * tile_size; }
  int64_t y (int64_t tile) const { return (first_row + tile / columns) * tile_size; }

private:
  int64_t first_column, first_row, columns, rows;
};

// Stored format of the bins of a job's stacks.
Holding holding (const Job &job);
// Describes the format, and why it differs from the job's request.
std::string describe (const Job &job);

// Bytes of `scratch` for StackProjector::tile (), and bytes of a StackProjector.
size_t scratch_size (const Job &job);
size_t stack_size (const Job &job);

// Largest value, and sum of squared differences, of a ray and lane, weighted.
struct Peak {
  float largest, change;
};

// Processes stacks one after the other: if measures (), measure () all rays, then settle (); then the tiles. Calls of
// measure () for different rays, and of tile () for different tiles, may run in parallel.
class StackProjector
{
public:
  explicit StackProjector (const Job &job); // job.bins is not read

  bool measures () const { return how.scaled; }
  void measure (const void *bins, size_t begin, size_t end);
  void settle ();

  // Computes the pixels of the region in the tile whose first pixel is (x, y), for one lane per slice. A slice is
  // dense, roi.width x roi.height; null: not wanted. `scratch` is aligned to 64.
  void tile (const void *bins, int64_t x, int64_t y, std::span<float *const> slices, std::byte *scratch) const;

  // Mean square error of a slice's pixels, caused by rounding to Sample::pairs, in the unit of the slice squared.
  double rounding_error (int lane) const { return error[static_cast<size_t> (lane)]; }

private:
  const Job job;
  const Holding how;

  std::vector<Peak> peaks;
  std::array<float, most_lanes> factor, scale;
  std::array<double, most_lanes> error{};
};

} // namespace sino::back_project
