// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cone-weight/cosines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cone-weight/cosines.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::cone_weight::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Processes whole vectors from value `i` on; returns where the rest begins.
template <class D>
HWY_INLINE int64_t vectors (D d, const Cosines &c, const float *shares, const float *in, int64_t i, int64_t n,
                            float *out)
{
  const auto set = [&] (float x) HWY_ATTR { return hn::Set (d, x); };
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  for (; i + lanes <= n; i += lanes) {
    const auto x = hn::Iota (d, static_cast<float> (i));
    const auto along = hn::MulAdd (x, set (c.along_step), set (c.along));
    const auto square = hn::MulAdd (x, hn::MulAdd (x, set (c.bend), set (c.slope)), set (c.square));
    const auto value = hn::Mul (hn::LoadU (d, in + i), hn::LoadU (d, shares + i));
    hn::StoreU (hn::Mul (value, hn::Div (along, hn::Sqrt (square))), d, out + i);
  }
  return i;
}

void weigh_any (const Cosines &c, const float *shares, const float *in, int64_t n, float *out)
{
  const auto rest = vectors (hn::ScalableTag<float> (), c, shares, in, 0, n, out);
  vectors (hn::CappedTag<float, 1> (), c, shares, in, rest, n, out);
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
