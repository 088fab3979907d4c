// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ramp-filter/spectrum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/ramp-filter/spectrum.hpp"
#include <cmath>
#include <numbers>

HWY_BEFORE_NAMESPACE ();
namespace sino::ramp_filter::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// i conj (z) swaps the parts of z. As M - k falls while k rises, reversing the order of floats gives this term.
void pass (const float *p, const float *q, const float *from, int64_t m, float *to)
{
  to[0] = p[0] * from[0] + q[0] * from[1];
  to[1] = p[1] * from[1] + q[1] * from[0];
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const auto end = 2 * m;
  int64_t i = 2; // floats
  for (; i + lanes <= end; i += lanes) {
    const auto mirrored = hn::Reverse (d, hn::LoadU (d, from + (end + 2 - i - lanes)));
    const auto direct = hn::Mul (hn::LoadU (d, p + i), hn::LoadU (d, from + i));
    hn::StoreU (hn::MulAdd (hn::LoadU (d, q + i), mirrored, direct), d, to + i);
  }
  for (; i < end; i++)
    to[i] = p[i] * from[i] + q[i] * from[end + 1 - i];
}

} // namespace sino::ramp_filter::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::ramp_filter {

HWY_EXPORT (pass);

void apply (const SpectrumFilter &filter, const float *from, float *to)
{
  HWY_DYNAMIC_DISPATCH (pass)
  (filter.p.data (), filter.q.data (), from, static_cast<int64_t> (filter.p.size () / 2), to);
}

SpectrumFilter spectrum_filter (const std::vector<double> &response)
{
  const auto m = response.size () - 1;
  SpectrumFilter filter{std::vector<float> (2 * m), std::vector<float> (2 * m)};
  for (size_t k = 0; k < m; k++) {
    const double a = (response[k] + response[m - k]) / 2, b = (response[k] - response[m - k]) / 2;
    const double t = std::numbers::pi * static_cast<double> (k) / static_cast<double> (m);
    const auto scale = 1 / static_cast<double> (m);
    filter.p[2 * k] = filter.p[2 * k + 1] = static_cast<float> (scale * (a - b * std::sin (t)));
    filter.q[2 * k] = filter.q[2 * k + 1] = static_cast<float> (scale * b * std::cos (t));
  }
  return filter;
}

} // namespace sino::ramp_filter
#endif
