// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/holes/holes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/holes/holes.hpp"
#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE ();
namespace sino::holes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adds 0 times each value, which is NaN if the value is not finite. Works in pieces that stay in registers.
bool all_finite (const float *values, int64_t n)
{
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  int64_t i = 0;
  auto a = hn::Zero (d), b = a, c = a, e = a;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const auto zero = hn::Zero (d);
    a = hn::MulAdd (zero, hn::LoadU (d, values + i), a);
    b = hn::MulAdd (zero, hn::LoadU (d, values + i + lanes), b);
    c = hn::MulAdd (zero, hn::LoadU (d, values + i + 2 * lanes), c);
    e = hn::MulAdd (zero, hn::LoadU (d, values + i + 3 * lanes), e);
  }
  const auto sum = hn::Add (hn::Add (a, b), hn::Add (c, e));
  bool finite = hn::AllTrue (d, hn::Eq (sum, hn::Zero (d)));
  for (; i < n; i++)
    finite = finite && std::isfinite (values[i]);
  return finite;
}

} // namespace sino::holes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::holes {

HWY_EXPORT (all_finite);

// Fills the holes of one row, which begins with value `first`. Returns their number.
static int64_t fill_row (float *values, int64_t first, int64_t n, int64_t step, float otherwise)
{
  int64_t holes = 0, live = -1;
  for (auto at = first; at < n; at += step) {
    if (std::isfinite (values[at])) {
      live = at;
      continue;
    }
    auto next = at + step;
    while (next < n && !std::isfinite (values[next]))
      next += step;
    const auto right = next < n ? next : -1;
    for (; at < std::min (next, n); at += step) {
      values[at] = live < 0 && right < 0 ? otherwise : between (values, live, at, right);
      holes++;
    }
    at -= step;
  }
  return holes;
}

int64_t fill_holes (float *values, int64_t n, int64_t step, float otherwise)
{
  int64_t holes = 0;
  if (!HWY_DYNAMIC_DISPATCH (all_finite) (values, n))
    for (int64_t first = 0; first < step; first++)
      holes += fill_row (values, first, n, step, otherwise);
  return holes;
}

} // namespace sino::holes
#endif
