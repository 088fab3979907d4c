// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/half-pack/half-pack.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/half-pack/half-inl.hpp"
#include "kernels/half-pack/half-pack.hpp"
#include <algorithm>

HWY_BEFORE_NAMESPACE ();
namespace sino::half_pack::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

int64_t pack (const float *values, int64_t n, uint16_t *halves)
{
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype (d)> du;
  const hn::RebindToSigned<decltype (d)> di;
  const hn::Rebind<uint16_t, decltype (d)> d16;
  const auto infinite = hn::Set (du, 0x7f800000u);
  size_t overflows = 0;

  const auto step = [&] (const float *from, uint16_t *to) HWY_ATTR {
    const auto v = hn::LoadU (d, from);
    const auto half = to_half_bits (d, v);
    const auto became = hn::Eq (hn::And (half, hn::Set (du, 0x7fffu)), hn::Set (du, 0x7c00u));
    const auto was = hn::Eq (hn::BitCast (du, hn::Abs (v)), infinite);
    overflows += hn::CountTrue (du, hn::AndNot (was, became));
    hn::StoreU (hn::DemoteTo (d16, hn::BitCast (di, half)), d16, to);
  };

  each_vector (d, values, n, halves, step);
  return static_cast<int64_t> (overflows);
}

} // namespace sino::half_pack::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::half_pack {

HWY_EXPORT (pack);

int64_t half_pack (const float *values, int64_t n, uint16_t *halves)
{
  return HWY_DYNAMIC_DISPATCH (pack) (values, n, halves);
}

} // namespace sino::half_pack
#endif
