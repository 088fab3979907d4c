// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection of a stack of sinograms on the CPU. The full slice is cut into tiles whose sums fit the L2 cache;
// each is computed by itself, so threads share nothing, and a pixel's bits depend neither on the region of interest nor
// on the lane.
#pragma once
#include "back-project/native/bins.hpp"
#include "back-project/native/rays.hpp"
#include <array>
#include <cstddef>
#include <memory>

namespace sino::back_project {

constexpr int tile_size = 64;
constexpr int most_lanes = 32;

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

// What is held instead of the bins that come in, so that the innermost loops can add them.
struct Holding {
  Sample sample;
  int fine;
  bool as_is;    // nothing is held: the bins are read where they are
  bool weighted; // the bins are multiplied by the rays' weights
  bool scaled;   // ... and by a factor per slice
};
Holding holding (const Job &job);

// Bytes that Stack::hold () writes, and those that a thread needs for Stack::tile ().
size_t held_size (const Job &job);
size_t scratch_size (const Job &job);

// One stack after the other: measure () where measures () says so, settle (), hold () where nothing is as it is; then
// the tiles. Calls of measure (), hold () and tile () for different rays and tiles may run at the same time.
class Stack
{
public:
  // job.bins is not read; `held` are held_size (job) bytes, aligned to 64.
  Stack (const Job &job, std::byte *held);

  bool measures () const { return how.scaled; }
  void measure (const void *bins, size_t begin, size_t end);
  void settle ();

  bool holds () const { return !how.as_is; }
  void hold (const void *bins, size_t begin, size_t end) const;

  // Computes the pixels of the region that lie in the tile whose first pixel is (x, y), for as many lanes as there are
  // slices. A slice is dense, roi.width x roi.height; null: not wanted. `scratch` is aligned to 64.
  void tile (const void *bins, int64_t x, int64_t y, std::span<float *const> slices, std::byte *scratch) const;

  // The mean square error of a slice's pixel that rounding to Sample::pairs brings, in the slice's unit squared.
  double rounding_error (int lane) const;

private:
  const Job job;
  const Holding how;
  const RayTable rays;
  std::byte *const held;
  Bins bins_of (const void *bins) const;

  struct Peak { // of a ray and lane, weighted
    float largest, change;
  };
  std::vector<Peak> peaks;
  std::array<float, most_lanes> factor, scale;
  std::array<double, most_lanes> error{};
};

// Lanes that the CPU is fastest with, and the instruction set that is used ("AVX3").
int best_lanes ();
const char *instruction_set ();

} // namespace sino::back_project
