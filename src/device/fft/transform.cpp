// SPDX-License-Identifier: LGPL-3.0-or-later
// The transform described in plan.hpp, for each instruction set.
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/fft/transform.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "device/fft/butterflies-inl.hpp"
#include "device/fft/plan.hpp"
#include <algorithm>

HWY_BEFORE_NAMESPACE ();
namespace sino::HWY_NAMESPACE {

template <class D> constexpr int lanes_of = static_cast<int> (hn::MaxLanes (D ()));

// Rows of the caller's values, whose parts alternate.
template <class D, bool Back> struct CallersRows {
  const float *from;

  HWY_INLINE Values<D> operator() (int64_t row) const
  {
    Values<D> x;
    if constexpr (Back)
      hn::LoadInterleaved2 (D (), from + 2 * lanes_of<D> * row, x.im, x.re);
    else
      hn::LoadInterleaved2 (D (), from + 2 * lanes_of<D> * row, x.re, x.im);
    return x;
  }
};

// Rows of the results of a pass, and of tables.
template <class D> struct OwnRows {
  const float *from;

  HWY_INLINE Values<D> operator() (int64_t row) const
  {
    const float *first = from + 2 * lanes_of<D> * row;
    return {hn::LoadU (D (), first), hn::LoadU (D (), first + lanes_of<D>)};
  }
};

template <int R, class Rows, class D>
HWY_NOINLINE void run_pass (D d, const FftPass &pass, int64_t rows, Rows in, float *to)
{
  const auto count = rows / R, before = pass.before;
  int64_t t = 0;
  for (int64_t block = 0; block < count / before; block++) {
    const float *turn = pass.turns.data ();
    for (int64_t k = 0; k < before; k++, t++) {
      Values<D> x[R];
      x[0] = in (t);
#pragma GCC unroll 16
      for (int j = 1; j < R; j++) {
        x[j] = in (t + j * count);
        if constexpr (std::is_same_v<Rows, OwnRows<D>>)
          x[j] = times (x[j], Values<D>{hn::Set (d, turn[2 * j - 2]), hn::Set (d, turn[2 * j - 1])});
      }
      turn += 2 * (R - 1);
      transform_few<R> (x);
#pragma GCC unroll 16
      for (int j = 0; j < R; j++) {
        float *out = to + ((block * R + j) * before + k) * 2 * lanes_of<D>;
        hn::StoreU (x[j].re, d, out);
        hn::StoreU (x[j].im, d, out + lanes_of<D>);
      }
    }
  }
}

template <class D, class Rows> void run_any (D d, const FftPass &pass, int64_t rows, Rows in, float *to)
{
  switch (pass.radix) {
  case 2:
    return run_pass<2> (d, pass, rows, in, to);
  case 3:
    return run_pass<3> (d, pass, rows, in, to);
  case 4:
    return run_pass<4> (d, pass, rows, in, to);
  case 5:
    return run_pass<5> (d, pass, rows, in, to);
  case 7:
    return run_pass<7> (d, pass, rows, in, to);
  case 8:
    return run_pass<8> (d, pass, rows, in, to);
  default:
    return run_pass<16> (d, pass, rows, in, to);
  }
}

#if HWY_TARGET == HWY_SCALAR

// There is one column, so rows are the results.
template <bool Back, class D> void transform_rows (D, const FftPlan &plan, const float *from, float *to)
{
  for (int64_t row = 0; row < plan.rows; row++) {
    to[2 * row] = from[2 * row + Back];
    to[2 * row + 1] = from[2 * row + 1 - Back];
  }
}

#else

// x[i][j] becomes x[j][i].
template <class D> HWY_INLINE void transpose (D d, hn::Vec<D> *x)
{
  constexpr int lanes = lanes_of<D>;
  const hn::Repartition<double, D> pairs;
  hn::Vec<D> y[lanes];
#pragma GCC unroll 16
  for (int i = 0; i < lanes; i += 4) {
    const auto a = hn::InterleaveLower (d, x[i], x[i + 1]), b = hn::InterleaveUpper (d, x[i], x[i + 1]);
    const auto u = hn::InterleaveLower (d, x[i + 2], x[i + 3]), v = hn::InterleaveUpper (d, x[i + 2], x[i + 3]);
    const auto a2 = hn::BitCast (pairs, a), b2 = hn::BitCast (pairs, b);
    const auto u2 = hn::BitCast (pairs, u), v2 = hn::BitCast (pairs, v);
    y[i] = hn::BitCast (d, hn::InterleaveLower (pairs, a2, u2));
    y[i + 1] = hn::BitCast (d, hn::InterleaveUpper (pairs, a2, u2));
    y[i + 2] = hn::BitCast (d, hn::InterleaveLower (pairs, b2, v2));
    y[i + 3] = hn::BitCast (d, hn::InterleaveUpper (pairs, b2, v2));
  }
  // Now y[4 i + j] has, in its block b of four lanes, the values 4 i ... 4 i + 3 of column 4 b + j.
#pragma GCC unroll 4
  for (int j = 0; j < 4; j++) {
    if constexpr (lanes == 4)
      x[j] = y[j];
    else if constexpr (lanes == 8) {
      x[j] = hn::ConcatLowerLower (d, y[4 + j], y[j]);
      x[4 + j] = hn::ConcatUpperUpper (d, y[4 + j], y[j]);
    } else {
      const auto lower = hn::ConcatLowerLower (d, y[8 + j], y[j]), upper = hn::ConcatUpperUpper (d, y[8 + j], y[j]);
      const auto lower2 = hn::ConcatLowerLower (d, y[12 + j], y[4 + j]);
      const auto upper2 = hn::ConcatUpperUpper (d, y[12 + j], y[4 + j]);
      x[j] = hn::OddEvenBlocks (hn::SwapAdjacentBlocks (lower2), lower);
      x[4 + j] = hn::OddEvenBlocks (lower2, hn::SwapAdjacentBlocks (lower));
      x[8 + j] = hn::OddEvenBlocks (hn::SwapAdjacentBlocks (upper2), upper);
      x[12 + j] = hn::OddEvenBlocks (upper2, hn::SwapAdjacentBlocks (upper));
    }
  }
}

// Transforms rows, as many at once as there are lanes.
template <bool Back, class D> HWY_NOINLINE void transform_rows (D d, const FftPlan &plan, const float *from, float *to)
{
  constexpr int lanes = lanes_of<D>;
  const OwnRows<D> in{from}, turns{plan.turns.data ()};
  for (int64_t next = 0; next < plan.rows; next += lanes) {
    const auto first = std::min (next, plan.rows - lanes); // some rows may be transformed twice
    hn::Vec<D> re[lanes], im[lanes];
#pragma GCC unroll 16
    for (int i = 0; i < lanes; i++) {
      // In this order of rows, Interleave... of real and imaginary parts gives complex values in order.
      const auto row = first + i % 4 / 2 * (lanes / 2) + i / 4 * 2 + i % 2;
      const auto x = times (in (row), turns (row));
      re[i] = x.re;
      im[i] = x.im;
    }
    transpose (d, re);
    transpose (d, im);
    Values<D> x[lanes];
#pragma GCC unroll 16
    for (int i = 0; i < lanes; i++)
      x[i] = {re[i], im[i]};
    transform_few<lanes> (x);
#pragma GCC unroll 16
    for (int i = 0; i < lanes; i++) {
      const auto a = Back ? x[i].im : x[i].re, b = Back ? x[i].re : x[i].im;
      float *out = to + 2 * (first + i * plan.rows);
      hn::StoreU (hn::InterleaveLower (d, a, b), d, out);
      hn::StoreU (hn::InterleaveUpper (d, a, b), d, out + lanes);
    }
  }
}

#endif

template <bool Back, class D> void run_all (D d, const FftPlan &plan, const float *from, float *to, float *work)
{
  // The last pass stores to `work`, the one before it to `to`, and so on.
  auto left = plan.passes.size ();
  const float *last = nullptr;
  for (const auto &pass : plan.passes) {
    float *next = --left % 2 == 0 ? work : to;
    if (last)
      run_any (d, pass, plan.rows, OwnRows<D>{last}, next);
    else
      run_any (d, pass, plan.rows, CallersRows<D, Back>{from}, next);
    last = next;
  }
  transform_rows<Back> (d, plan, last, to);
}

using Widest = hn::CappedTag<float, 16>;
using Narrow = hn::CappedTag<float, 4>;

static void transform_values (const FftPlan &plan, const float *from, float *to, float *work, bool back)
{
  const auto with = [&] (auto d) HWY_ATTR {
    back ? run_all<true> (d, plan, from, to, work) : run_all<false> (d, plan, from, to, work);
  };
  if constexpr (lanes_of<Widest> > 4)
    if (plan.lanes == lanes_of<Widest>)
      return with (Widest ());
  with (Narrow ());
}

static FftKernel kernel_of_set ()
{
  return {.lanes = lanes_of<Widest>, .largest_radix = lanes_of<Widest> == 16 ? 16 : 8, .transform = transform_values};
}

} // namespace sino::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino {

HWY_EXPORT (kernel_of_set);

FftKernel fft_kernel ()
{
  return HWY_DYNAMIC_DISPATCH (kernel_of_set) ();
}

} // namespace sino
#endif
