// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/minus-log/minus-log.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/minus-log/minus-log.hpp"
#include "kernels/vectors-inl.hpp"
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::minus_log::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

int64_t minus_log (const float *values, int64_t n, float air, float limit, float *out)
{
  size_t limited = 0;
  kernels::HWY_NAMESPACE::over (n, [&] (auto d, int64_t i) HWY_ATTR {
    const auto transmission = hn::Div (hn::LoadU (d, values + i), hn::Set (d, air)), least = hn::Set (d, limit);
    const auto low = hn::Lt (transmission, least);
    limited += hn::CountTrue (d, low);
    const auto logarithm = hn::Log (d, hn::IfThenElse (low, least, transmission));
    // The logarithm is valid for finite values only.
    const auto finite = hn::Or (low, hn::IsFinite (transmission));
    hn::StoreU (hn::Neg (hn::IfThenElse (finite, logarithm, transmission)), d, out + i);
  });
  return static_cast<int64_t> (limited);
}

} // namespace sino::minus_log::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::minus_log {

HWY_EXPORT (minus_log);

int64_t minus_log (const float *values, int64_t n, float air, float least, float *out)
{
  return HWY_DYNAMIC_DISPATCH (minus_log) (values, n, air, least, out);
}

} // namespace sino::minus_log
#endif
