// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/flat-field/correct.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/flat-field/correct.hpp"
#include "kernels/load-inl.hpp"
#include <algorithm>
#include <hwy/contrib/math/math-inl.h>
#include <type_traits>

HWY_BEFORE_NAMESPACE ();
namespace sino::flat_field::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using kernels::Half;
using kernels::HWY_NAMESPACE::load;

// Corrects one vector; adds the number of values below the limit to `limited`.
template <bool Absorption, bool Counts, class D, class V>
HWY_INLINE V correct_vector (D d, V value, V dark, V white, V top, size_t &limited)
{
  const auto limit = [&] (V v, float least) HWY_ATTR {
    const auto low = hn::Lt (v, hn::Set (d, least));
    limited += hn::CountTrue (d, low);
    return hn::IfThenElse (low, hn::Set (d, least), v);
  };
  auto count = hn::IfThenElse (hn::Lt (value, top), hn::Sub (value, dark), hn::NaN (d));
  if constexpr (Absorption && Counts)
    count = limit (count, least_count);
  auto transmission = hn::Div (count, white);
  if constexpr (!Absorption)
    return transmission;
  if constexpr (!Counts)
    transmission = limit (transmission, least_transmission);
  const auto absorption = hn::Sub (hn::Zero (d), hn::Log (d, transmission));
  // The logarithm is valid for finite values only; NaN and infinity are kept.
  return hn::IfThenElse (hn::IsFinite (transmission), absorption, hn::Neg (transmission));
}

// Corrects whole vectors from value `i` on; returns where the rest begins.
template <bool Absorption, class T, class D>
HWY_INLINE int64_t vectors (D d, const T *data, const Reference &r, int64_t i, int64_t n, float *out, size_t &limited)
{
  constexpr bool counts = std::is_integral_v<T>;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const auto weight = hn::Set (d, r.weight), top = hn::Set (d, r.top);
  const auto step = [&] (hn::Vec<D> white) HWY_ATTR {
    const auto dark = hn::LoadU (d, r.dark + i);
    hn::StoreU (correct_vector<Absorption, counts> (d, load (d, data + i), dark, white, top, limited), d, out + i);
  };
  if (r.later)
    for (; i + lanes <= n; i += lanes) {
      const auto before = hn::LoadU (d, r.white + i), after = hn::LoadU (d, r.later + i);
      step (hn::MulAdd (weight, hn::Sub (after, before), before));
    }
  else
    for (; i + lanes <= n; i += lanes)
      step (hn::LoadU (d, r.white + i));
  return i;
}

template <bool Absorption, class T> int64_t line (const T *data, const Reference &r, int64_t n, float *out)
{
  size_t limited = 0;
  const auto rest = vectors<Absorption> (hn::ScalableTag<float> (), data, r, 0, n, out, limited);
  vectors<Absorption> (hn::CappedTag<float, 1> (), data, r, rest, n, out, limited);
  return static_cast<int64_t> (limited);
}

template <class T> int64_t line_of (const T *data, const Reference &r, bool absorption, int64_t n, float *out)
{
  return absorption ? line<true> (data, r, n, out) : line<false> (data, r, n, out);
}

int64_t correct_any (Element element, const void *data, const Reference &r, bool absorption, int64_t n, float *out)
{
  switch (element) {
  case Element::u8:
    return line_of (static_cast<const uint8_t *> (data), r, absorption, n, out);
  case Element::u16:
    return line_of (static_cast<const uint16_t *> (data), r, absorption, n, out);
  case Element::f16:
    return line_of (static_cast<const Half *> (data), r, absorption, n, out);
  default:
    return line_of (static_cast<const float *> (data), r, absorption, n, out);
  }
}

template <class T> void widen_of (const T *data, int64_t n, float *out)
{
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU (load (d, data + i), d, out + i);
  const hn::CappedTag<float, 1> one;
  for (; i < n; i++)
    hn::StoreU (load (one, data + i), one, out + i);
}

void widen_any (Element element, const void *data, int64_t n, float *out)
{
  switch (element) {
  case Element::u8:
    return widen_of (static_cast<const uint8_t *> (data), n, out);
  case Element::u16:
    return widen_of (static_cast<const uint16_t *> (data), n, out);
  case Element::f16:
    return widen_of (static_cast<const Half *> (data), n, out);
  default:
    return widen_of (static_cast<const float *> (data), n, out);
  }
}

// Works in pieces that stay in the nearest cache.
void accumulate_any (Element element, const void *data, int64_t n, float top, double *sums, uint32_t *left_out)
{
  constexpr int64_t piece = 1024;
  float values[piece];
  for (int64_t i = 0; i < n; i += piece) {
    const auto m = std::min (piece, n - i);
    widen_any (element, static_cast<const char *> (data) + static_cast<size_t> (i) * size_of (element), m, values);
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype (d)> df;
    const auto limit = hn::Set (df, top);
    const auto lanes = static_cast<int64_t> (hn::Lanes (d));
    int64_t j = 0;
    for (; j + lanes <= m; j += lanes) {
      const auto some = hn::LoadU (df, values + j);
      const auto taken = hn::IfThenElseZero (hn::Lt (some, limit), some);
      hn::StoreU (hn::Add (hn::LoadU (d, sums + i + j), hn::PromoteTo (d, taken)), d, sums + i + j);
    }
    for (; j < m; j++)
      sums[i + j] += values[j] < top ? static_cast<double> (values[j]) : 0;
    for (j = 0; j < m; j++)
      left_out[i + j] += values[j] < top ? 0 : 1;
  }
}

} // namespace sino::flat_field::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::flat_field {

HWY_EXPORT (correct_any);
HWY_EXPORT (widen_any);
HWY_EXPORT (accumulate_any);

int64_t correct (Element element, const void *data, const Reference &reference, bool absorption, int64_t n, float *out)
{
  return HWY_DYNAMIC_DISPATCH (correct_any) (element, data, reference, absorption, n, out);
}

void widen (Element element, const void *data, int64_t n, float *out)
{
  HWY_DYNAMIC_DISPATCH (widen_any) (element, data, n, out);
}

void accumulate (Element element, const void *data, int64_t n, float top, double *sums, uint32_t *left_out)
{
  HWY_DYNAMIC_DISPATCH (accumulate_any) (element, data, n, top, sums, left_out);
}

} // namespace sino::flat_field
#endif
