// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of a slice, whose parts threads share. Sums have a fixed order: results do not depend on the number of
// threads.
#pragma once
#include "kernels/single-slice/plan.hpp"
#include <span>

namespace sino::single_slice {

// Floats in a vector, at least 4; 0 on CPUs without vectors, where the functions below are not available.
int vector_lanes ();

// Transforms up to vector_lanes () rows of a sinogram, dense, to the terms k = 0 .. P/2 of each. Rows with a value that
// is not finite become 0; returns their number. `work`: rows.work () floats.
int64_t transform_rows (const RowPlan &rows, const float *sinogram, int64_t count, float *spectra, float *work);

// A ray that points to x >= 0. Its term k is at the cell (k dx, k dy), and turned by k angle.
struct Turn {
  static constexpr int last_power = 8; // of the longest vectors

  int64_t row; // of the sinogram
  double dx, dy, angle;
  float sign; // -1: the ray was turned round, and its terms are conjugated first
  float weight;
  float powers[2 * (last_power + 1)] = {}; // e^(i angle j)
};

struct Terms {
  const float *spectra;
  int64_t stride;                // complex values from row to row
  std::span<const Turn> turns;   // in the order of directions
  std::span<const float> factor; // of k, each twice, for the real and the imaginary part
};

// Clears a band of rows of the grid and adds the terms that fall into it; it also touches the band after it. All even
// bands come before the odd ones.
void spread_band (const LevelPlan &level, const Terms &terms, int64_t band, float *grid);
// Transforms as many neighbouring columns as a vector holds; there are column_groups () such groups.
void transform_columns (const LevelPlan &level, int64_t group, float *grid, float *work);
int64_t column_groups (const LevelPlan &level);
// Transforms vector_lanes () rows of the slice and stores them.
void store_rows (const LevelPlan &level, int64_t group, float *grid, float *slice, float *work);

} // namespace sino::single_slice
