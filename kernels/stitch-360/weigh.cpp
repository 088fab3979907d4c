// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stitch-360/weigh.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/stitch-360/weigh.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::stitch_360::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using kernels::HWY_NAMESPACE::over;

void weigh_any (const float *values, const float *weights, int64_t n, float *out)
{
  over (n, [&] (auto d, int64_t i)
               HWY_ATTR { hn::StoreU (hn::Mul (hn::LoadU (d, weights + i), hn::LoadU (d, values + i)), d, out + i); });
}

void add_filtered_any (const float *values, int64_t step, std::span<const float> kernel, const float *weights,
                       int64_t n, float *out)
{
  over (n, [&] (auto d, int64_t i) HWY_ATTR {
    const auto *from = values + i;
    auto sum = hn::Mul (hn::Set (d, kernel[0]), hn::LoadU (d, from));
    for (const float part : kernel.subspan (1))
      sum = hn::MulAdd (hn::Set (d, part), hn::LoadU (d, from += step), sum);
    hn::StoreU (hn::MulAdd (hn::LoadU (d, weights + i), sum, hn::LoadU (d, out + i)), d, out + i);
  });
}

} // namespace sino::stitch_360::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::stitch_360 {

HWY_EXPORT (weigh_any);
HWY_EXPORT (add_filtered_any);

void weigh (const float *values, const float *weights, int64_t n, float *out)
{
  HWY_DYNAMIC_DISPATCH (weigh_any) (values, weights, n, out);
}

void add_filtered (const float *values, int64_t step, std::span<const float> kernel, const float *weights, int64_t n,
                   float *out)
{
  HWY_DYNAMIC_DISPATCH (add_filtered_any) (values, step, kernel, weights, n, out);
}

} // namespace sino::stitch_360
#endif
