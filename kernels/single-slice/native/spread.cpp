// SPDX-License-Identifier: LGPL-3.0-or-later
// Adds each term of a ray to 4 x 4 cells. A line of 4 complex cells is one vector of 8 floats. What a term needs beside
// is computed before, for many terms at once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/single-slice/native/spread.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/complex-inl.hpp"
#include "kernels/single-slice/stages.hpp"
#include <algorithm>
#include <cmath>

#if HWY_TARGET & SINO_SETS // the instruction sets of this object file
HWY_BEFORE_NAMESPACE ();
namespace sino::single_slice::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: vector_lanes () is 0
void spread_band (const LevelPlan &, const Terms &, int64_t, float *) {}
#else

using namespace fourier_reconstruct::HWY_NAMESPACE;

constexpr int chunk_terms = 128;
// A term is loaded from cells that the term before it has just stored, but shifted: the processor would wait. So the
// chunk is divided into parts, and a term of each is added in turn.
constexpr int parts = 8;

struct Chunk {
  alignas (64) float value[2 * chunk_terms];
  alignas (64) float x[4 * chunk_terms + lanes], y[4 * chunk_terms]; // weights of the cells
  alignas (64) int32_t cell[chunk_terms];                            // the first one
};

HWY_INLINE Value times (Value x, Value w)
{
  return mul_sub_add (x, hn::DupEven (w), hn::Mul (swapped (x), hn::DupOdd (w)));
}

HWY_INLINE void find_values (const Terms &terms, const Turn &turn, int64_t next, int64_t first, int count,
                             float *values)
{
  const double angle = static_cast<double> (first) * turn.angle;
  const auto weight = static_cast<double> (turn.weight);
  const float begin[2] = {static_cast<float> (weight * std::cos (angle)),
                          static_cast<float> (weight * std::sin (angle))};
  auto factor = turned (hn::LoadU (Tag (), turn.powers), begin);
  const auto signs = hn::OddEven (real (turn.sign), real (1));
  const float *spectrum = terms.spectra + 2 * (turn.row * terms.stride + first);
  const float *response = terms.factor.data () + 2 * first;
  const auto ahead = 2 * (next - turn.row) * terms.stride;
  for (int i = 0; i < 2 * count; i += lanes) {
    hwy::Prefetch (spectrum + i + ahead);
    const auto term = hn::Mul (hn::LoadU (Tag (), spectrum + i), hn::Mul (hn::LoadU (Tag (), response + i), signs));
    hn::Store (times (term, factor), Tag (), values + i);
    factor = turned (factor, turn.powers + lanes);
  }
}

// The weights of terms at start + i step cells, and their first cells from the cell `whole`, which is set.
template <class Cells>
HWY_INLINE void find_weights (const float *coefficients, double start, double step, int count, float *weights,
                              int64_t &whole, Cells cells)
{
  constexpr int degree = width + 3;
  const Tag d;
  const double edge = start - 0.5 * width, floor = std::floor (edge);
  whole = static_cast<int64_t> (floor);
  const auto base = real (static_cast<float> (edge - floor)), by = real (static_cast<float> (step));
  for (int i = 0; i < count; i += lanes) {
    const auto position = hn::MulAdd (hn::Iota (d, static_cast<float> (i)), by, base), first = hn::Ceil (position);
    cells (i, first);
    const auto z = hn::MulSub (hn::Sub (first, position), real (2), real (1));
    Value weight[width];
#pragma GCC unroll 4
    for (int t = 0; t < width; t++) {
      weight[t] = real (coefficients[t]);
#pragma GCC unroll 16
      for (int p = 1; p <= degree; p++)
        weight[t] = hn::MulAdd (weight[t], z, real (coefficients[p * width + t]));
    }
    hn::StoreInterleaved4 (weight[0], weight[1], weight[2], weight[3], d, weights + 4 * i);
  }
}

using Line = hn::CappedTag<float, 8>; // 4 complex cells, in one vector or two

HWY_INLINE void add_term (const Chunk &chunk, int i, float *cells, int64_t stride)
{
  const Line d;
  constexpr size_t n = hn::MaxLanes (d);
  const auto value =
      hn::BitCast (d, hn::Set (hn::Repartition<double, Line> (), reinterpret_cast<const double *> (chunk.value)[i]));
  float *line = cells + 2 * static_cast<int64_t> (chunk.cell[i]);
  const auto x = hn::LoadU (d, chunk.x + 4 * i);
  hn::Vec<Line> along[8 / n];
  if constexpr (n == 8) {
    alignas (32) constexpr int32_t twice[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    along[0] = hn::Mul (value, hn::TableLookupLanes (x, hn::SetTableIndices (d, twice)));
  } else {
    along[0] = hn::Mul (value, hn::InterleaveLower (d, x, x));
    along[1] = hn::Mul (value, hn::InterleaveUpper (d, x, x));
  }
#pragma GCC unroll 4
  for (int s = 0; s < width; s++) {
    const auto weight = hn::Set (d, chunk.y[4 * i + s]);
#pragma GCC unroll 2
    for (size_t h = 0; h < 8 / n; h++)
      hn::StoreU (hn::MulAdd (along[h], weight, hn::LoadU (d, line + h * n)), d, line + h * n);
    line += 2 * stride;
  }
}

HWY_INLINE void spread_chunk (const LevelPlan &level, const Terms &terms, const Turn &turn, int64_t next, int64_t first,
                              int count, float *grid)
{
  Chunk chunk;
  const hn::RebindToSigned<Tag> di;
  const auto &g = level.gridding;
  const float *coefficients = g.phi.coefficients ().data ();
  const auto k = static_cast<double> (first);
  find_values (terms, turn, next, first, count, chunk.value);
  int64_t row, column;
  find_weights (coefficients, k * turn.dy, turn.dy, count, chunk.y, row, [&] (int i, Value cell) {
    hn::Store (hn::Mul (hn::ConvertTo (di, cell), hn::Set (di, static_cast<int32_t> (level.grid.stride))), di,
               chunk.cell + i);
  });
  find_weights (coefficients, k * turn.dx, turn.dx, count, chunk.x, column, [&] (int i, Value cell) {
    hn::Store (hn::Add (hn::ConvertTo (di, cell), hn::Load (di, chunk.cell + i)), di, chunk.cell + i);
  });
  float *const cells = grid + 2 * ((row + level.grid.middle ()) * level.grid.stride + column + margin);
  const int part = divide_up (count, parts);
  for (int i = 0; i < part; i++)
    for (int j = i; j < count; j += part)
      add_term (chunk, j, cells, level.grid.stride);
}

// The first of `count` terms, dy rows from each other, that lies beyond row `bound`: the terms of a band lie between
// those of its ends.
HWY_INLINE int64_t first_beyond (double bound, double dy, int64_t count)
{
  const double k = dy > 0 ? std::ceil (bound / dy) : std::floor (bound / dy) + 1;
  return static_cast<int64_t> (std::clamp (k, 0.0, static_cast<double> (count)));
}

// A band also touches the first rows of the next one. Even bands come first, and clear these for odd ones.
HWY_INLINE void clear_band (const Grid &grid, int64_t band, float *cells)
{
  const auto first = band * band_rows + (band % 2 ? margin : 0);
  const auto end = std::min ((band + 1) * band_rows + (band % 2 ? 0 : margin), grid.rows ());
  if (first < end)
    std::fill_n (cells + 2 * first * grid.stride, 2 * (end - first) * grid.stride, 0.0F);
}

void spread_band (const LevelPlan &level, const Terms &terms, int64_t band, float *grid)
{
  clear_band (level.grid, band, grid);
  const auto count = std::ssize (terms.factor) / 2;
  const auto middle = static_cast<double> (level.grid.middle ()) - 0.5 * width;
  const auto bound = [&] (int64_t b) {
    return b <= 0 ? -1e9 : b >= level.grid.bands () ? 1e9 : static_cast<double> (b * band_rows) - middle;
  };
  for (size_t i = 0; i < terms.turns.size (); i++) {
    const auto &turn = terms.turns[i];
    const auto next = terms.turns[i + 1 < terms.turns.size () ? i + 1 : i].row;
    const double dy = std::abs (turn.dy) < 1e-12 ? 1e-12 : turn.dy;
    auto begin = first_beyond (bound (band), dy, count), end = first_beyond (bound (band + 1), dy, count);
    if (dy < 0)
      std::swap (begin, end);
    for (auto k = begin; k < end; k += chunk_terms)
      spread_chunk (level, terms, turn, next, k, static_cast<int> (std::min<int64_t> (chunk_terms, end - k)), grid);
  }
}

#endif

} // namespace sino::single_slice::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
