// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rescale/rescale.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/rescale/rescale.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::rescale::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// In float64, because limits may be close together and far from 0.
template <class T> int64_t values_to (const float *from, int64_t n, const Limits &limits, T *to)
{
  constexpr auto greatest_value = greatest (std::is_same_v<T, uint8_t>    ? Element::u8
                                            : std::is_same_v<T, uint16_t> ? Element::u16
                                                                          : Element::f32);
  size_t limited = 0;
  kernels::HWY_NAMESPACE::over<double> (n, [&] (auto d, int64_t i) HWY_ATTR {
    const hn::Rebind<float, decltype (d)> narrow;
    const auto value = hn::PromoteTo (d, hn::LoadU (narrow, from + i));
    const auto min = hn::Set (d, limits.min), max = hn::Set (d, limits.max);
    const auto low = hn::Lt (value, min), high = hn::Gt (value, max);
    limited += hn::CountTrue (d, low) + hn::CountTrue (d, high);
    // Values above the maximum get `top` itself, because the scaled maximum may differ from it in the last bit.
    const auto top = hn::Set (d, greatest_value);
    const auto scaled = hn::Div (hn::Mul (hn::Sub (value, min), top), hn::Set (d, limits.max - limits.min));
    const auto inside = hn::IfThenElse (low, hn::Zero (d), hn::IfThenElse (high, top, scaled));
    if constexpr (std::is_same_v<T, float>)
      hn::StoreU (hn::DemoteTo (narrow, inside), narrow, to + i);
    else {
      const auto number = hn::Eq (value, value);
      limited += hn::Lanes (d) - hn::CountTrue (d, number);
      const hn::Rebind<int32_t, decltype (d)> di;
      const hn::Rebind<T, decltype (d)> dt;
      const auto whole = hn::DemoteTo (di, hn::Round (hn::IfThenElseZero (number, inside)));
      hn::StoreU (hn::DemoteTo (dt, whole), dt, to + i);
    }
  });
  return static_cast<int64_t> (limited);
}

int64_t rescale_any (const float *values, int64_t n, const Limits &limits, Element to, void *out)
{
  switch (to) {
  case Element::u8:
    return values_to (values, n, limits, static_cast<uint8_t *> (out));
  case Element::u16:
    return values_to (values, n, limits, static_cast<uint16_t *> (out));
  default:
    return values_to (values, n, limits, static_cast<float *> (out));
  }
}

} // namespace sino::rescale::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::rescale {

HWY_EXPORT (rescale_any);

int64_t rescale (const float *values, int64_t n, const Limits &limits, Element to, void *out)
{
  return HWY_DYNAMIC_DISPATCH (rescale_any) (values, n, limits, to, out);
}

} // namespace sino::rescale
#endif
