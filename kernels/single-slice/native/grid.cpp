// SPDX-License-Identifier: LGPL-3.0-or-later
// Computes the slice from the half grid of frequencies: transforms columns, then rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/single-slice/native/grid.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/fft-inl.hpp"
#include "kernels/interleave/interleave.hpp"
#include "kernels/single-slice/stages.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

#if HWY_TARGET & SINO_SETS // the instruction sets of this object file
HWY_BEFORE_NAMESPACE ();
namespace sino::single_slice::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: vector_lanes () is 0
void transform_columns (const LevelPlan &, int64_t, float *, float *) {}
void store_rows (const LevelPlan &, int64_t, const float *, float *, float *) {}
#else

using namespace fourier_reconstruct::HWY_NAMESPACE;

constexpr int pairs = lanes / 2; // complex values in a vector

// In place: all cells are loaded before the first result is stored.
void transform_columns (const LevelPlan &level, int64_t group, float *grid, float *work)
{
  const auto &g = level.gridding;
  const auto stride = 2 * level.grid.stride, half = g.grid / 2;
  float *const column = grid + group * lanes;
  const auto add = [&] (int64_t to, int64_t from) {
    float *const cell = column + to * stride;
    hn::Store (hn::Add (load (cell), load (column + from * stride)), Tag (), cell);
  };
  for (int64_t i = 0; i < margin; i++) { // the grid is periodic
    add (g.grid + i, i);
    add (margin + i, g.grid + margin + i);
  }
  const float *const begin = column + (half + margin) * stride, *const middle = column + margin * stride;
  transform (
      level.grid.fft, work,
      [&] (int j) {
        const float *cells = j < half ? begin + j * stride : middle + (j - half) * stride;
        hwy::Prefetch (cells + lanes); // of the next group
        return load (cells);
      },
      [&] (int k, Value v) {
        if (const auto row = g.pixel_of (k); row >= 0)
          hn::Store (hn::Mul (v, real (std::abs (g.correction[static_cast<size_t> (row)]))), Tag (),
                     column + row * stride);
      });
}

// The whole line of frequencies of a real row from its half, h: H(j) = h(j) + conj (h(-j)).
struct Half {
  const float *row;
  int64_t half;

  // Two frequencies become parts of pixels of two rows: A + i B.
  HWY_INLINE void at (int64_t j, float (&of)[2]) const
  {
    const float *h = row + 2 * (margin + j);
    of[0] = h[0];
    of[1] = h[1];
    const auto with = [&] (const float *mirrored) {
      of[0] += mirrored[0];
      of[1] -= mirrored[1];
    };
    if (j < margin)
      with (row + 2 * (margin - j));
    if (half - j < margin)
      with (row + 2 * (margin + 2 * half - j));
  }
};

HWY_INLINE void lay_pair (const float *a, const float *b, int64_t half, float *lines)
{
  const Half one{a, half}, other{b, half};
  for (int64_t j = 0; j <= half; j++) {
    float p[2], q[2];
    one.at (j, p);
    other.at (j, q);
    float *const to = lines + j * lanes, *const mirrored = lines + (2 * half - j) * lanes;
    to[0] = p[0] - q[1];
    to[1] = p[1] + q[0];
    if (j > 0 && j < half) {
      mirrored[0] = p[0] + q[1];
      mirrored[1] = q[0] - p[1];
    }
  }
}

void store_rows (const LevelPlan &level, int64_t group, const float *grid, float *slice, float *work)
{
  const auto &g = level.gridding;
  float *const lines = work + level.grid.fft.scratch () * lanes, *const pixels = lines + g.grid * lanes,
               *const unwanted = pixels + g.size * lanes;
  const auto row_at = [&] (int64_t row) { return std::min (row, g.size - 1); };
  for (int pair = 0; pair < pairs; pair++) {
    const auto row = group * lanes + 2 * pair;
    lay_pair (grid + row_at (row) * 2 * level.grid.stride, grid + row_at (row + 1) * 2 * level.grid.stride, g.grid / 2,
              lines + 2 * pair);
  }
  transform (
      level.grid.fft, work, [&] (int j) { return load (lines + int64_t{j} * lanes); },
      [&] (int k, Value v) {
        if (const auto x = g.pixel_of (k); x >= 0)
          hn::Store (hn::Mul (v, real (std::abs (g.correction[static_cast<size_t> (x)]))), Tag (), pixels + x * lanes);
      });
  float *rows[lanes];
  for (int64_t lane = 0; lane < lanes; lane++)
    rows[lane] = group * lanes + lane < g.size ? slice + (group * lanes + lane) * g.size : unwanted;
  interleave::take_apart (lanes, pixels, g.size, rows);
}

#endif

} // namespace sino::single_slice::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
