// SPDX-License-Identifier: LGPL-3.0-or-later
// How one slice is reconstructed alone, by gridding as in kernels/fourier-reconstruct/gridding.hpp. There, slices lie
// side by side in vectors. Here
//
//   - vectors hold neighbouring rows of the sinogram, cells of the grid, columns of the grid, or rows of the slice;
//   - the slice is real, so half of the grid is enough, x >= 0: rays point there, and terms k >= 0 alone are spread.
//   The
//     slice is twice the real part, and the term k = 0 counts half;
//   - the grid is transformed in place.
//
// Level L of a slice has every 2^L-th pixel in both directions, and has only the frequencies that these can show. So
// its grid is 2^L times smaller in both directions, with rows of P / 2^L.
#pragma once
#include "base/divide-up.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"

namespace sino::single_slice {

using back_project::Ray;
using fourier_reconstruct::Gridding;
using fourier_reconstruct::LaneFft;

constexpr int width = 4; // of phi: a line of its cells, complex, is one vector of AVX2
constexpr double oversampling = 1.5;
constexpr int64_t margin = 4;     // cells beyond the sides of the grid
constexpr int64_t band_rows = 48; // rows of the grid that are spread over together: they stay in the second cache
constexpr int64_t line_unit = 8;  // complex values in 64 bytes

struct RowPlan {
  int64_t columns, padded; // P
  bool edge;               // rows are padded with their first and last values, else with zeros
  LaneFft fft;
  std::vector<float> half_turns;

  RowPlan (int64_t columns, int64_t padded, bool edge);

  int64_t terms () const { return padded / 2 + 1; }
  int64_t stride () const { return round_up (terms (), line_unit); } // complex values from row to row
  int64_t work (int lanes) const;                                    // floats
};

// The half grid of a square of pixels: frequency (0, 0) is in column `margin` and row `middle ()`.
struct Grid {
  int64_t size;   // of the square
  LaneFft fft;    // G is its length
  int64_t stride; // complex values from row to row

  explicit Grid (int64_t size);

  int64_t middle () const { return fft.n / 2 + margin; }
  int64_t rows () const { return fft.n + 2 * margin; }
  int64_t columns () const { return fft.n / 2 + 1 + 2 * margin; }
  int64_t bands () const { return divide_up (rows (), band_rows); }
  int64_t cells () const { return rows () * stride; } // complex values
  int64_t work (int lanes) const;                     // floats
};

struct LevelPlan {
  int64_t step; // 2^L
  Grid grid;
  Gridding gridding;
  double shift; // pixel i is at step (i - floor (size / 2) + shift) pixels of level 0 from the slice's centre

  // `columns` and `padded`: of level 0.
  LevelPlan (int64_t columns, int64_t padded, int level);
};

} // namespace sino::single_slice
