// SPDX-License-Identifier: LGPL-3.0-or-later
// Turns numbers into compile-time constants.
#pragma once
#include <type_traits>

namespace sino::kernels {

// Calls f with the constant that the value equals; with the last one if it equals none.
template <int First, int... Others, class F> decltype (auto) with_constant (int value, F f)
{
  if constexpr (sizeof...(Others) == 0)
    return f (std::integral_constant<int, First> ());
  else
    return value == First ? f (std::integral_constant<int, First> ()) : with_constant<Others...> (value, f);
}

// Calls f with a number of lanes as a constant.
template <class F> void with_lanes (int lanes, F f)
{
  with_constant<1, 2, 4, 8, 16, 32> (lanes, f);
}

} // namespace sino::kernels
