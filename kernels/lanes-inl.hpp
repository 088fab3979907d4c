// SPDX-License-Identifier: LGPL-3.0-or-later
// Turns a number of lanes into a compile-time constant. Included once per target, inside its namespace's translation
// unit.
#if defined(SINO_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_LANES_INL
#undef SINO_LANES_INL
#else
#define SINO_LANES_INL
#endif

#include <hwy/highway.h>
#include <type_traits>

HWY_BEFORE_NAMESPACE ();
namespace sino::kernels::HWY_NAMESPACE {

// Calls f with the number of lanes, 1, 2, 4, 8, 16 or 32, as a constant.
template <class F> void with_lanes (int lanes, F f)
{
  switch (lanes) {
  case 1:
    return f (std::integral_constant<int, 1> ());
  case 2:
    return f (std::integral_constant<int, 2> ());
  case 4:
    return f (std::integral_constant<int, 4> ());
  case 8:
    return f (std::integral_constant<int, 8> ());
  case 16:
    return f (std::integral_constant<int, 16> ());
  default:
    return f (std::integral_constant<int, 32> ());
  }
}

} // namespace sino::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
