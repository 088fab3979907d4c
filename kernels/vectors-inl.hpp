// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops over values in vectors. Included once per target, inside its namespace's translation unit.
#if defined(SINO_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_VECTORS_INL
#undef SINO_VECTORS_INL
#else
#define SINO_VECTORS_INL
#endif

#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls f (d, i) for whole vectors of T, beginning with value 0, then for single values.
template <class T = float, class F> HWY_INLINE void over (int64_t n, F f)
{
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    f (d, i);
  for (; i < n; i++)
    f (hn::CappedTag<T, 1> (), i);
}

} // namespace sino::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
