// SPDX-License-Identifier: LGPL-3.0-or-later
// Compiled once for each type of keys, SINO_KEY, because compilers need long for the networks.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/median/medians.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/median/medians.hpp"
#include "kernels/median/network-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::median::HWY_NAMESPACE {
void of_keys (MedianWindow window, const SINO_KEY *const *lines, int64_t step, int64_t n, SINO_KEY *scratch,
              SINO_KEY *out)
{
  medians (window, lines, step, n, scratch, out);
}
} // namespace sino::median::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::median {

HWY_EXPORT (of_keys);

template <class Key>
void medians_of_keys (MedianWindow window, const Key *const *lines, int64_t step, int64_t n, Key *scratch, Key *out)
{
  HWY_DYNAMIC_DISPATCH (of_keys) (window, lines, step, n, scratch, out);
}
template void medians_of_keys (MedianWindow, const SINO_KEY *const *, int64_t, int64_t, SINO_KEY *, SINO_KEY *);

} // namespace sino::median
#endif
