// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/retrieve-phase/spectrum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/flat-field/correct.hpp"
#include "kernels/retrieve-phase/spectrum.hpp"
#include "kernels/vectors-inl.hpp"
#include <algorithm>
#include <cmath>
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::retrieve_phase::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using kernels::HWY_NAMESPACE::over;

Seen load (const float *from, int64_t n, float *to)
{
  size_t finite = 0, strange = 0;
  over (n, [&] (auto d, int64_t i) HWY_ATTR {
    const auto value = hn::LoadU (d, from + i);
    finite += hn::CountTrue (d, hn::IsFinite (value));
    strange += hn::CountTrue (d, hn::Or (hn::Le (value, hn::Zero (d)), hn::Gt (value, hn::Set (d, 4.0f))));
    hn::StoreU (hn::Sub (hn::Set (d, 1.0f), value), d, to + i);
  });
  return {n - static_cast<int64_t> (finite), static_cast<int64_t> (strange)};
}

void filter (const Responses &h, int64_t n, float *column, float *mirrored)
{
  over (n, [&] (auto d, int64_t i) HWY_ATTR {
    const auto half = hn::Set (d, 0.5f), here = hn::LoadU (d, h.here + i), there = hn::LoadU (d, h.there + i);
    const auto a = hn::Mul (half, hn::Add (here, there)), b = hn::Mul (half, hn::Sub (here, there));
    const auto p = hn::NegMulAdd (b, hn::Set (d, h.sine), a), other = hn::MulAdd (b, hn::Set (d, h.sine), a);
    const auto q = hn::Mul (b, hn::Set (d, h.cosine));
    hn::Vec<decltype (d)> x, y, u, v;
    hn::LoadInterleaved2 (d, column + 2 * i, x, y);
    hn::LoadInterleaved2 (d, mirrored + 2 * i, u, v);
    hn::StoreInterleaved2 (hn::MulAdd (p, x, hn::Mul (q, v)), hn::MulAdd (p, y, hn::Mul (q, u)), d, column + 2 * i);
    hn::StoreInterleaved2 (hn::MulAdd (other, u, hn::Mul (q, y)), hn::MulAdd (other, v, hn::Mul (q, x)), d,
                           mirrored + 2 * i);
  });
}

// -ln of transmissions, which `of` computes.
template <class Of> HWY_INLINE int64_t logarithms (int64_t n, float *to, Of of)
{
  size_t limited = 0;
  over (n, [&] (auto d, int64_t i) HWY_ATTR {
    const auto value = of (d, i), least = hn::Set (d, flat_field::least_transmission);
    const auto low = hn::Lt (value, least);
    limited += hn::CountTrue (d, low);
    hn::StoreU (hn::IfThenElse (hn::IsFinite (value), hn::Neg (hn::Log (d, hn::IfThenElse (low, least, value))), value),
                d, to + i);
  });
  return static_cast<int64_t> (limited);
}

int64_t plain (const float *filtered, int64_t n, float *to)
{
  return logarithms (
      n, to, [&] (auto d, int64_t i) HWY_ATTR { return hn::Sub (hn::Set (d, 1.0f), hn::LoadU (d, filtered + i)); });
}

int64_t aided (const float *filtered, const float *transmission, int64_t n, float *to)
{
  return logarithms (n, to, [&] (auto d, int64_t i) HWY_ATTR {
    const auto value = hn::LoadU (d, transmission + i);
    return hn::Div (value, hn::Add (value, hn::LoadU (d, filtered + i)));
  });
}

} // namespace sino::retrieve_phase::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::retrieve_phase {

HWY_EXPORT (load);
HWY_EXPORT (filter);
HWY_EXPORT (plain);
HWY_EXPORT (aided);

Seen load_row (const float *transmission, int64_t n, float *to)
{
  const auto seen = HWY_DYNAMIC_DISPATCH (load) (transmission, n, to);
  if (seen.replaced > 0) {
    const auto is_finite = [] (float value) { return std::isfinite (value); };
    const auto *first = std::find_if (to, to + n, is_finite);
    float before = first == to + n ? 0 : *first;
    for (auto *value = to; value != to + n; value++)
      *value = before = is_finite (*value) ? *value : before;
  }
  return seen;
}

void filter_columns (const Responses &h, int64_t n, float *column, float *mirrored)
{
  HWY_DYNAMIC_DISPATCH (filter) (h, n, column, mirrored);
}

int64_t attenuation (const float *filtered, int64_t n, float *to)
{
  return HWY_DYNAMIC_DISPATCH (plain) (filtered, n, to);
}

int64_t attenuation_aided (const float *filtered, const float *transmission, int64_t n, float *to)
{
  return HWY_DYNAMIC_DISPATCH (aided) (filtered, transmission, n, to);
}

} // namespace sino::retrieve_phase
#endif
