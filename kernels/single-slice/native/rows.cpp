// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms rows of a sinogram, as many at once as a vector has lanes: two rows are the parts of complex values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/single-slice/native/rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/fft-inl.hpp"
#include "kernels/interleave/interleave.hpp"
#include "kernels/single-slice/stages.hpp"
#include <algorithm>
#include <cstring>

#if HWY_TARGET & SINO_SETS // the instruction sets of this object file
HWY_BEFORE_NAMESPACE ();
namespace sino::single_slice::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: vector_lanes () is 0
int64_t transform_rows (const RowPlan &, const float *, int64_t, float *, float *)
{
  return 0;
}
#else

using namespace fourier_reconstruct::HWY_NAMESPACE;

HWY_INLINE bool is_finite (const float *row, int64_t columns)
{
  auto sum = hn::Zero (Tag ());
  int64_t i = 0;
  for (; i + lanes <= columns; i += lanes)
    sum = hn::MulAdd (hn::LoadU (Tag (), row + i), hn::Zero (Tag ()), sum); // NaN if a value is not finite
  float rest = hn::GetLane (hn::SumOfLanes (Tag (), sum));
  for (; i < columns; i++)
    rest += row[i] * 0;
  return rest == 0;
}

// Rows become [column][lane]. Those that are not finite, and those beyond the last, become 0.
HWY_INLINE int64_t lay_rows (const RowPlan &rows, const float *sinogram, int64_t count, float *bins)
{
  const std::byte *pointers[lanes];
  bool wanted[lanes];
  int64_t broken = 0;
  for (int64_t lane = 0; lane < lanes; lane++) {
    const float *row = sinogram + std::min (lane, count - 1) * rows.columns;
    pointers[lane] = reinterpret_cast<const std::byte *> (row);
    wanted[lane] = lane < count && is_finite (row, rows.columns);
    broken += lane < count && !wanted[lane];
  }
  interleave::interleave (sizeof (float), lanes, pointers, rows.columns, reinterpret_cast<std::byte *> (bins));
  for (int lane = 0; lane < lanes; lane++)
    if (!wanted[lane])
      for (int64_t column = 0; column < rows.columns; column++)
        bins[column * lanes + lane] = 0;
  return broken;
}

// The frequencies [P] of pairs of rows. The transform has the sign +. Even frequencies are a transform of length n =
// P/2, odd ones another of the row turned.
HWY_INLINE void transform_pairs (const RowPlan &rows, const float *bins, float *pairs, float *scratch)
{
  const int n = rows.fft.n, size = static_cast<int> (rows.columns), middle = size + (2 * n - size) / 2;
  const auto zero = hn::Zero (Tag ());
  const auto left = rows.edge ? load (bins) : zero, right = rows.edge ? load (bins + int64_t{size - 1} * lanes) : zero;
  const auto padding = [&] (int j) { return j < middle ? right : left; };
  const auto at = [&] (int j) { return j < size ? load (bins + int64_t{j} * lanes) : padding (j); };
  transform (
      rows.fft, scratch, [&] (int j) { return hn::Add (at (j), padding (j + n)); },
      [&] (int k, Value v) { hn::Store (v, Tag (), pairs + int64_t{2} * k * lanes); });
  const float *turns = rows.half_turns.data ();
  transform (
      rows.fft, scratch, [&] (int j) { return turned (hn::Sub (at (j), padding (j + n)), turns + 2 * j); },
      [&] (int k, Value v) { hn::Store (v, Tag (), pairs + (int64_t{2} * k + 1) * lanes); });
}

// A pair's frequency q is Z(q) = conj (a(q)) + i conj (b(q)) with the terms a and b of its rows, which are real: so
// a(k) = (conj Z(k) + Z(P - k)) / 2, and b(k) = i (conj Z(k) - Z(P - k)) / 2.
HWY_INLINE void part_pairs (const RowPlan &rows, const float *pairs, int64_t count, float *spectra)
{
  constexpr int block = 8; // terms: a cache line
  const auto stride = 2 * rows.stride ();
  const auto half = real (0.5F), conjugate = hn::OddEven (real (-0.5F), half);
  alignas (64) float a[block * lanes], b[block * lanes];
  for (int64_t first = 0; first < rows.terms (); first += block) {
    const auto here = static_cast<int> (std::min<int64_t> (block, rows.terms () - first));
    for (int i = 0; i < here; i++) {
      const auto k = first + i;
      const auto z = hn::Mul (load (pairs + k * lanes), conjugate);
      const auto mirrored = load (pairs + (k == 0 ? 0 : rows.padded - k) * lanes);
      hn::Store (hn::MulAdd (mirrored, half, z), Tag (), a + i * lanes);
      hn::Store (add_i (hn::Zero (Tag ()), hn::NegMulAdd (mirrored, half, z)), Tag (), b + i * lanes);
    }
    for (int64_t row = 0; row < count; row++) {
      const float *from = (row % 2 ? b : a) + row / 2 * 2;
      float *to = spectra + row * stride + 2 * first;
      for (int i = 0; i < here; i++)
        std::memcpy (to + 2 * i, from + i * lanes, 2 * sizeof (float));
    }
  }
}

int64_t transform_rows (const RowPlan &rows, const float *sinogram, int64_t count, float *spectra, float *work)
{
  float *const bins = work + rows.fft.scratch () * lanes, *const pairs = bins + rows.columns * lanes;
  const auto broken = lay_rows (rows, sinogram, count, bins);
  transform_pairs (rows, bins, pairs, work);
  part_pairs (rows, pairs, count, spectra);
  return broken;
}

#endif

} // namespace sino::single_slice::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
