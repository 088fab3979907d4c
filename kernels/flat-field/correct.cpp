// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/flat-field/correct.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/flat-field/correct.hpp"
#include "kernels/load-inl.hpp"
#include "kernels/vectors-inl.hpp"
#include <hwy/contrib/math/math-inl.h>
#include <type_traits>

HWY_BEFORE_NAMESPACE ();
namespace sino::flat_field::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using kernels::HWY_NAMESPACE::load;
using kernels::HWY_NAMESPACE::of_type;
using kernels::HWY_NAMESPACE::over;

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

// The reference as a copy, which `out` cannot point to.
template <bool Absorption, class T> int64_t line (const T *data, const Reference r, int64_t n, float *out)
{
  size_t limited = 0;
  const auto step = [&] (auto d, int64_t i, auto white) HWY_ATTR {
    constexpr bool counts = std::is_integral_v<T>;
    const auto value = load (d, data + i), dark = hn::LoadU (d, r.dark + i), top = hn::Set (d, r.top);
    hn::StoreU (correct_vector<Absorption, counts> (d, value, dark, white, top, limited), d, out + i);
  };
  if (r.later)
    over (n, [&] (auto d, int64_t i) HWY_ATTR {
      const auto before = hn::LoadU (d, r.white + i), after = hn::LoadU (d, r.later + i);
      step (d, i, hn::MulAdd (hn::Set (d, r.weight), hn::Sub (after, before), before));
    });
  else
    over (n, [&] (auto d, int64_t i) HWY_ATTR { step (d, i, hn::LoadU (d, r.white + i)); });
  return static_cast<int64_t> (limited);
}

int64_t correct_any (Element element, const void *values, const Reference &r, bool absorption, int64_t n, float *out)
{
  return of_type (element, values, [&] (auto *data) {
    return absorption ? line<true> (data, r, n, out) : line<false> (data, r, n, out);
  });
}

void widen_any (Element element, const void *values, int64_t n, float *out)
{
  of_type (element, values, [&] (auto *data) HWY_ATTR {
    over (n, [&] (auto d, int64_t i) HWY_ATTR { hn::StoreU (load (d, data + i), d, out + i); });
  });
}

void accumulate_any (Element element, const void *values, int64_t n, float top, double *sums, uint32_t *left_out)
{
  of_type (element, values, [&] (auto *data) HWY_ATTR {
    over<double> (n, [&] (auto d, int64_t i) HWY_ATTR {
      const hn::Rebind<float, decltype (d)> df;
      const hn::RebindToUnsigned<decltype (df)> du;
      const auto value = load (df, data + i);
      const auto taken = hn::Lt (value, hn::Set (df, top));
      hn::StoreU (hn::Add (hn::LoadU (d, sums + i), hn::PromoteTo (d, hn::IfThenElseZero (taken, value))), d, sums + i);
      const auto counted = hn::IfThenZeroElse (hn::RebindMask (du, taken), hn::Set (du, 1u));
      hn::StoreU (hn::Add (hn::LoadU (du, left_out + i), counted), du, left_out + i);
    });
  });
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
