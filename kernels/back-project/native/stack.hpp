// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection of a stack of sinograms on the CPU. The full slice is cut into tiles whose sums fit the L2 cache;
// each is computed by itself, so threads share nothing, and a pixel's bits depend neither on the region of interest nor
// on the lane.
#pragma once
#include "kernels/back-project/native/bins.hpp"
#include "kernels/back-project/native/tile.hpp"
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace sino::back_project {

// The tiles that a region touches, in rows from the top left.
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

// How the bins of a job's stacks are held.
Holding holding (const Job &job);
// In words, with the reason where it is not what the job asks for.
std::string describe (const Job &job);

// Bytes that a thread needs for StackProjector::tile (), and those that a StackProjector takes.
size_t scratch_size (const Job &job);
size_t stack_size (const Job &job);

// The peak of a ray and lane, weighted.
struct Peak {
  float largest, change;
};

// One stack after the other: measure () and settle () where measures () says so; then the tiles. Calls of measure ()
// and of tile () for different rays and tiles may run at the same time.
class StackProjector
{
public:
  explicit StackProjector (const Job &job); // job.bins is not read

  bool measures () const { return how.scaled; }
  void measure (const void *bins, size_t begin, size_t end);
  void settle ();

  // Computes the pixels of the region that lie in the tile whose first pixel is (x, y), for as many lanes as there are
  // slices. A slice is dense, roi.width x roi.height; null: not wanted. `scratch` is aligned to 64.
  void tile (const void *bins, int64_t x, int64_t y, std::span<float *const> slices, std::byte *scratch) const;

  // The mean square error of a slice's pixel that rounding to Sample::pairs brings, in the slice's unit squared.
  double rounding_error (int lane) const;

private:
  const Job job;
  const Holding how;

  std::vector<Peak> peaks;
  std::array<float, most_lanes> factor, scale;
  std::array<double, most_lanes> error{};
};

} // namespace sino::back_project
