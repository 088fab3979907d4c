// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/find-axis/lines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/find-axis/lines.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::find_axis::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using kernels::HWY_NAMESPACE::over;

void add_numbers (const float *line, int64_t n, double *sums, double *counts)
{
  over<double> (n, [=] (auto d, int64_t c) HWY_ATTR {
    const hn::Rebind<float, decltype (d)> df;
    const auto values = hn::LoadU (df, line + c);
    const auto numbers = hn::IsFinite (values);
    const auto counted = hn::PromoteTo (d, hn::IfThenElseZero (numbers, values)),
               one = hn::PromoteTo (d, hn::IfThenElseZero (numbers, hn::Set (df, 1.0F)));
    hn::StoreU (hn::Add (hn::LoadU (d, sums + c), counted), d, sums + c);
    hn::StoreU (hn::Add (hn::LoadU (d, counts + c), one), d, counts + c);
  });
}

void add_squares (const float *line, int64_t n, const double *means, double *squares)
{
  over<double> (n, [=] (auto d, int64_t c) HWY_ATTR {
    const auto off =
        hn::Sub (hn::PromoteTo (d, hn::LoadU (hn::Rebind<float, decltype (d)> (), line + c)), hn::LoadU (d, means + c));
    const auto counted = hn::IfThenElseZero (hn::IsFinite (off), off);
    hn::StoreU (hn::Add (hn::LoadU (d, squares + c), hn::Mul (counted, counted)), d, squares + c);
  });
}

template <class D> struct Spectrum {
  using V = hn::Vec<D>;
  V real, imaginary;

  HWY_INLINE Spectrum (D d, const Complex *from, bool reversed)
  {
    const hn::Rebind<float, D> df;
    hn::Vec<decltype (df)> re, im;
    hn::LoadInterleaved2 (df, reinterpret_cast<const float *> (from), re, im);
    real = hn::PromoteTo (d, reversed ? hn::Reverse (df, re) : re);
    imaginary = hn::PromoteTo (d, reversed ? hn::Reverse (df, im) : im);
  }
};

template <class D> struct Totals {
  using V = hn::Vec<D>;
  V real, imaginary, energy, variance;

  explicit HWY_INLINE Totals (D d)
      : real (hn::Zero (d)), imaginary (hn::Zero (d)), energy (hn::Zero (d)), variance (hn::Zero (d))
  {
  }
  HWY_INLINE void add (const Spectrum<D> &a, const Spectrum<D> &b, V sign)
  {
    const auto square = [] (const Spectrum<D> &z)
                            HWY_ATTR { return hn::MulAdd (z.real, z.real, hn::Mul (z.imaginary, z.imaginary)); };
    const auto ea = square (a), eb = square (b);
    real = hn::MulAdd (sign, hn::MulSub (a.real, b.real, hn::Mul (a.imaginary, b.imaginary)), real);
    imaginary = hn::NegMulAdd (sign, hn::MulAdd (a.real, b.imaginary, hn::Mul (a.imaginary, b.real)), imaginary);
    energy = hn::Add (energy, hn::Add (ea, eb));
    variance = hn::MulAdd (ea, eb, variance);
  }
  HWY_INLINE Compared sum () const
  {
    const D d;
    const auto all = [d] (V v) HWY_ATTR { return hn::GetLane (hn::SumOfLanes (d, v)); };
    return {all (real), all (imaginary), 0.5 * all (energy), all (variance)};
  }
};

// Adds pairs from `i` on, as many vectors as fit before `end`. `b_of`: address of the first of the values to compare
// with; `sign_of`: sign of pair i.
template <class D, class BOf, class SignOf>
HWY_INLINE Compared compare_some (D d, const Complex *a, int64_t &i, int64_t end, bool reversed, const BOf &b_of,
                                  const SignOf &sign_of)
{
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  Totals<D> totals (d);
  for (; i + lanes <= end; i += lanes)
    totals.add ({d, a + i, false}, {d, b_of (i, lanes), reversed}, sign_of (d, i));
  return totals.sum ();
}

Compared operator+ (const Compared &a, const Compared &b)
{
  return {a.real + b.real, a.imaginary + b.imaginary, a.energy + b.energy, a.variance + b.variance};
}

template <class BOf, class SignOf>
HWY_INLINE Compared compare_all (const Complex *a, int64_t begin, int64_t end, bool reversed, const BOf &b_of,
                                 const SignOf &sign_of)
{
  auto i = begin;
  const auto most = compare_some (hn::ScalableTag<double> (), a, i, end, reversed, b_of, sign_of);
  return most + compare_some (hn::CappedTag<double, 1> (), a, i, end, reversed, b_of, sign_of);
}

Compared compare (const Complex *a, const Complex *b, int64_t n)
{
  return compare_all (
      a, 0, n, false, [b] (int64_t i, int64_t) { return b + i; },
      [] (auto d, int64_t) HWY_ATTR { return hn::Set (d, 1.0); });
}

Compared compare_ends (const Complex *to, int64_t length, int64_t begin, int64_t end)
{
  return compare_all (
      to, begin, end, true, [to, length] (int64_t v, int64_t lanes) { return to + length - v - lanes + 1; },
      [] (auto d, int64_t v) HWY_ATTR {
        const auto even = hn::Set (d, v % 2 ? 1.0 : -1.0);
        return hn::OddEven (hn::Neg (even), even);
      });
}

} // namespace sino::find_axis::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::find_axis {

namespace {

template <int64_t Bin> void bin_by (const float *__restrict line, int64_t bins, float *__restrict out)
{
  for (int64_t c = 0; c < bins; c++) {
    float sum = 0;
    for (int64_t i = 0; i < Bin; i++)
      sum += line[c * Bin + i];
    out[c] = sum;
  }
}

} // namespace

HWY_EXPORT (add_numbers);
HWY_EXPORT (add_squares);
HWY_EXPORT (compare);
HWY_EXPORT (compare_ends);

void add_numbers (const float *line, int64_t n, double *sums, double *counts)
{
  HWY_DYNAMIC_DISPATCH (add_numbers) (line, n, sums, counts);
}

void add_squares (const float *line, int64_t n, const double *means, double *squares)
{
  HWY_DYNAMIC_DISPATCH (add_squares) (line, n, means, squares);
}

Compared compare (const Complex *a, const Complex *b, int64_t n)
{
  return HWY_DYNAMIC_DISPATCH (compare) (a, b, n);
}

Compared compare_ends (const Complex *to, int64_t length, int64_t begin, int64_t end)
{
  return HWY_DYNAMIC_DISPATCH (compare_ends) (to, length, begin, end);
}

void add_line (const float *__restrict line, int64_t n, double *__restrict sums)
{
  for (int64_t c = 0; c < n; c++)
    sums[c] += static_cast<double> (line[c]);
}

void mix_lines (const float *__restrict first, const float *__restrict second, float share, int64_t n,
                float *__restrict out)
{
  for (int64_t c = 0; c < n; c++)
    out[c] = first[c] + share * (second[c] - first[c]);
}

void bin_line (const float *__restrict line, int64_t bin, int64_t bins, float *__restrict out)
{
  switch (bin) {
  case 1:
    return bin_by<1> (line, bins, out);
  case 2:
    return bin_by<2> (line, bins, out);
  case 4:
    return bin_by<4> (line, bins, out);
  case 8:
    return bin_by<8> (line, bins, out);
  case 16:
    return bin_by<16> (line, bins, out);
  default:
    for (int64_t c = 0; c < bins; c++) {
      float sum = 0;
      for (int64_t i = 0; i < bin; i++)
        sum += line[c * bin + i];
      out[c] = sum;
    }
  }
}

void join_lines (const float *__restrict first, const float *__restrict second, const float *__restrict means,
                 const float *__restrict window, int64_t n, Complex *__restrict out)
{
  auto *to = reinterpret_cast<float *> (out);
  if (means)
    for (int64_t c = 0; c < n; c++) {
      to[2 * c] = window[c] * (first[c] - means[c]);
      to[2 * c + 1] = window[c] * (second[c] - means[c]);
    }
  else
    for (int64_t c = 0; c < n; c++) {
      to[2 * c] = window[c] * first[c];
      to[2 * c + 1] = window[c] * second[c];
    }
}

void separate (const Complex *transforms, int64_t length, int64_t frequencies, Complex *out, int64_t stride)
{
  for (int64_t k = 0; k < frequencies; k++) {
    auto *__restrict to = reinterpret_cast<float *> (out + k * stride);
    const auto *low = reinterpret_cast<const float *> (transforms + k);
    const auto *high = reinterpret_cast<const float *> (transforms + (k == 0 ? 0 : length - k));
    for (int64_t pair = 0; pair < lines_at_once / 2; pair++) {
      const float ar = low[2 * pair * length], ai = low[2 * pair * length + 1];
      const float br = high[2 * pair * length], bi = high[2 * pair * length + 1];
      to[4 * pair] = 0.5F * (ar + br);
      to[4 * pair + 1] = 0.5F * (ai - bi);
      to[4 * pair + 2] = 0.5F * (ai + bi);
      to[4 * pair + 3] = 0.5F * (br - ar);
    }
  }
}

} // namespace sino::find_axis
#endif
