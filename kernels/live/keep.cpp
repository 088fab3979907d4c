// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/live/keep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/divide-up.hpp"
#include "kernels/half-pack/half-inl.hpp"
#include "kernels/live/keep.hpp"
#include <algorithm>

HWY_BEFORE_NAMESPACE ();
namespace sino::live::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

int64_t keep_all (const float *values, int64_t n, float weight, uint16_t *halves)
{
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype (d)> di;
  const hn::Rebind<uint16_t, decltype (d)> d16;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const auto by = hn::Set (d, weight), largest = hn::Set (d, largest_half);
  size_t within = 0;

  const auto step = [&] (const float *from, uint16_t *to) HWY_ATTR {
    const auto v = hn::Mul (hn::LoadU (d, from), by);
    within += hn::CountTrue (d, hn::Le (hn::Abs (v), largest));
    const auto not_above = hn::IfThenElse (hn::Gt (v, largest), largest, v);
    const auto inside = hn::IfThenElse (hn::Lt (not_above, hn::Neg (largest)), hn::Neg (largest), not_above);
    hn::StoreU (hn::DemoteTo (d16, hn::BitCast (di, half_pack::HWY_NAMESPACE::to_half_bits (d, inside))), d16, to);
  };

  half_pack::HWY_NAMESPACE::each_vector (d, values, n, halves, step);
  return round_up (n, lanes) - static_cast<int64_t> (within); // zeros beyond the end are within
}

} // namespace sino::live::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::live {

HWY_EXPORT (keep_all);

int64_t keep_halves (const float *values, int64_t n, float weight, uint16_t *halves)
{
  return HWY_DYNAMIC_DISPATCH (keep_all) (values, n, weight, halves);
}

} // namespace sino::live
#endif
