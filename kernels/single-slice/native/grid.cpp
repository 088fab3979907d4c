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
void store_rows (const LevelPlan &, int64_t, float *, float *, float *) {}
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

// Adds to the frequencies of a real row, from 0 to G/2, what lies beyond: H(j) = h(j) + conj (h(-j)).
HWY_INLINE void fold (float *row, int64_t half)
{
  const auto add = [&] (int64_t to, int64_t from) {
    row[2 * to] += row[2 * from];
    row[2 * to + 1] = to == from ? 0 : row[2 * to + 1] - row[2 * from + 1];
  };
  for (int64_t i = 0; i < margin; i++) {
    add (margin + i, margin - i);
    add (margin + half - i, margin + half + i);
  }
}

// Two rows A and B become whole lines of A + i B, whose transform has their pixels as parts. Block by block, so that
// lines are complete before they leave the nearest cache.
HWY_INLINE void lay_lines (const float *const *rows, int64_t half, float *lines)
{
  for (int64_t first = 0; first <= half; first += line_unit)
    for (int pair = 0; pair < pairs; pair++)
      for (auto j = first; j < first + line_unit && j <= half; j++) {
        const float *a = rows[2 * pair] + 2 * j, *b = rows[2 * pair + 1] + 2 * j;
        float *to = lines + j * lanes + 2 * pair;
        float *mirrored = lines + (j == 0 ? 0 : 2 * half - j) * lanes + 2 * pair; // frequencies 0 and G/2 are real
        mirrored[0] = a[0] + b[1];
        mirrored[1] = b[0] - a[1];
        to[0] = a[0] - b[1];
        to[1] = a[1] + b[0];
      }
}

void store_rows (const LevelPlan &level, int64_t group, float *grid, float *slice, float *work)
{
  const auto &g = level.gridding;
  float *const lines = work + level.grid.fft.scratch () * lanes, *const pixels = lines + g.grid * lanes,
               *const unwanted = pixels + g.size * lanes;
  const float *from[lanes];
  float *to[lanes];
  for (int64_t lane = 0; lane < lanes; lane++) {
    const auto row = group * lanes + lane;
    float *const frequencies = grid + std::min (row, g.size - 1) * 2 * level.grid.stride;
    if (row < g.size)
      fold (frequencies, g.grid / 2);
    from[lane] = frequencies + 2 * margin;
    to[lane] = row < g.size ? slice + row * g.size : unwanted;
  }
  lay_lines (from, g.grid / 2, lines);
  transform (
      level.grid.fft, work, [&] (int j) { return load (lines + int64_t{j} * lanes); },
      [&] (int k, Value v) {
        if (const auto x = g.pixel_of (k); x >= 0)
          hn::Store (hn::Mul (v, real (std::abs (g.correction[static_cast<size_t> (x)]))), Tag (), pixels + x * lanes);
      });
  interleave::take_apart (lanes, pixels, g.size, to);
}

#endif

} // namespace sino::single_slice::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
