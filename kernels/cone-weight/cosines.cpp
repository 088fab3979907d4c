// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cone-weight/cosines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cone-weight/cosines.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::cone_weight::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void weigh_any (const Cosines &c, const float *shares, const float *in, int64_t n, float *out)
{
  kernels::HWY_NAMESPACE::over (n, [&] (auto d, int64_t i) HWY_ATTR {
    const auto set = [&] (float x) HWY_ATTR { return hn::Set (d, x); };
    const auto x = hn::Iota (d, static_cast<float> (i));
    const auto along = hn::MulAdd (x, set (c.along_step), set (c.along));
    const auto square = hn::MulAdd (x, hn::MulAdd (x, set (c.bend), set (c.slope)), set (c.square));
    const auto value = hn::Mul (hn::LoadU (d, in + i), hn::LoadU (d, shares + i));
    hn::StoreU (hn::Mul (value, hn::Div (along, hn::Sqrt (square))), d, out + i);
  });
}

} // namespace sino::cone_weight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::cone_weight {

HWY_EXPORT (weigh_any);

void weigh (const Cosines &cosines, const float *shares, const float *in, int64_t n, float *out)
{
  HWY_DYNAMIC_DISPATCH (weigh_any) (cosines, shares, in, n, out);
}

} // namespace sino::cone_weight
#endif
