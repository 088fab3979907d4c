// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move-pixels/spline.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/move-pixels/spline.hpp"
#include "kernels/vectors-inl.hpp"
#include <cmath>

HWY_BEFORE_NAMESPACE ();
namespace sino::move_pixels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void coefficients (const SplineWeights &weights, const float *from, int64_t step, int64_t count, float *to)
{
  kernels::HWY_NAMESPACE::over (count, [&] (auto d, int64_t i) HWY_ATTR {
    const auto *middle = from + i;
    auto sum = hn::Mul (hn::Set (d, weights[0]), hn::LoadU (d, middle));
    for (int64_t k = 1; k <= spline_reach; k++) {
      const auto both = hn::Add (hn::LoadU (d, middle - k * step), hn::LoadU (d, middle + k * step));
      sum = hn::Add (sum, hn::Mul (hn::Set (d, weights[static_cast<size_t> (k)]), both));
    }
    hn::StoreU (sum, d, to + i);
  });
}

} // namespace sino::move_pixels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::move_pixels {

HWY_EXPORT (coefficients);

// The inverse of (z + 4 + 1 / z) / 6 is sqrt (3) sum over k of (sqrt (3) - 2)^|k| z^k.
static SplineWeights inverse ()
{
  SplineWeights list{};
  for (size_t k = 0; k < list.size (); k++)
    list[k] = static_cast<float> (std::sqrt (3.0) * std::pow (std::sqrt (3.0) - 2, static_cast<double> (k)));
  return list;
}

const SplineWeights &spline_weights ()
{
  static const auto weights = inverse ();
  return weights;
}

void spline_coefficients (const float *from, int64_t step, int64_t count, float *to)
{
  HWY_DYNAMIC_DISPATCH (coefficients) (spline_weights (), from, step, count, to);
}

} // namespace sino::move_pixels
#endif
