// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/median/medians-32.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/median/medians.hpp"
#include "kernels/median/network-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::median::HWY_NAMESPACE {
void medians_32 (MedianWindow window, const int32_t *const *lines, int64_t step, int64_t n, int32_t *scratch,
                 int32_t *out)
{
  medians (window, lines, step, n, scratch, out);
}
} // namespace sino::median::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::median {

HWY_EXPORT (medians_32);

void medians_32 (MedianWindow window, const int32_t *const *lines, int64_t step, int64_t n, int32_t *scratch,
                 int32_t *out)
{
  HWY_DYNAMIC_DISPATCH (medians_32) (window, lines, step, n, scratch, out);
}

} // namespace sino::median
#endif
