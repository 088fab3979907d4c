// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stitch-360/weigh.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/stitch-360/weigh.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::stitch_360::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Process whole vectors from value `i` on; each function returns where the rest begins.
template <class D>
HWY_INLINE int64_t weighed (D d, const float *values, const float *weights, int64_t i, int64_t n, float *out)
{
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  for (; i + lanes <= n; i += lanes)
    hn::StoreU (hn::Mul (hn::LoadU (d, weights + i), hn::LoadU (d, values + i)), d, out + i);
  return i;
}

template <class D>
HWY_INLINE int64_t filtered (D d, const float *values, int64_t step, std::span<const float> kernel,
                             const float *weights, int64_t i, int64_t n, float *out)
{
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  for (; i + lanes <= n; i += lanes) {
    const auto *from = values + i;
    auto sum = hn::Mul (hn::Set (d, kernel[0]), hn::LoadU (d, from));
    for (const float part : kernel.subspan (1))
      sum = hn::MulAdd (hn::Set (d, part), hn::LoadU (d, from += step), sum);
    hn::StoreU (hn::MulAdd (hn::LoadU (d, weights + i), sum, hn::LoadU (d, out + i)), d, out + i);
  }
  return i;
}

void weigh_any (const float *values, const float *weights, int64_t n, float *out)
{
  const auto rest = weighed (hn::ScalableTag<float> (), values, weights, 0, n, out);
  weighed (hn::CappedTag<float, 1> (), values, weights, rest, n, out);
}

void add_filtered_any (const float *values, int64_t step, std::span<const float> kernel, const float *weights,
                       int64_t n, float *out)
{
  const auto rest = filtered (hn::ScalableTag<float> (), values, step, kernel, weights, 0, n, out);
  filtered (hn::CappedTag<float, 1> (), values, step, kernel, weights, rest, n, out);
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
