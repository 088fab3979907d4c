// SPDX-License-Identifier: LGPL-3.0-or-later
// Names of methods and of windows, for `reconstruct`.
#pragma once
#include "filters/ramp-filter/words.hpp"

namespace sino::reconstruct {

using ramp_filter::Window;
using ramp_filter::window_nicks;

enum class Method { automatic, direct, fourier, tv, cgls, iterated_fdk, os_sart, sirt };
inline constexpr Nick<Method> methods[] = {{Method::automatic, "auto"},  {Method::direct, "direct"},
                                           {Method::fourier, "fourier"}, {Method::tv, "tv"},
                                           {Method::cgls, "cgls"},       {Method::iterated_fdk, "iterated-fdk"},
                                           {Method::os_sart, "os-sart"}, {Method::sirt, "sirt"}};

// All windows, and `auto`: the window that suits the method.
inline constexpr Window automatic_window{-1};
inline constexpr struct Windows {
  Nick<Window> nicks[std::size (window_nicks) + 1];
} windows = [] {
  Windows all{{{automatic_window, "auto"}}};
  for (size_t i = 0; i < std::size (window_nicks); i++)
    all.nicks[i + 1] = window_nicks[i];
  return all;
}();

} // namespace sino::reconstruct
