// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties that all nodes which filter rows have: names of windows and paddings, what they say of them, what they
// allow.
#pragma once
#include "glue/property.hpp"
#include "ramp-filter/response.hpp"

namespace sino {

inline constexpr Nick<kernels::Window> window_nicks[] = {
    {kernels::Window::ram_lak, "ram-lak"}, {kernels::Window::shepp_logan, "shepp-logan"},
    {kernels::Window::cosine, "cosine"},   {kernels::Window::hann, "hann"},
    {kernels::Window::hamming, "hamming"}, {kernels::Window::butterworth, "butterworth"},
    {kernels::Window::parzen, "parzen"},   {kernels::Window::sinc, "sinc"},
    {kernels::Window::none, "none"},
};
inline constexpr const char *cutoff_blurb = "Frequency at which the window ends, as a fraction of Nyquist's";
inline constexpr Range cutoff_range{0.001, 1};
inline constexpr const char *order_blurb = "Steepness of the Butterworth window";
inline constexpr Range order_range{1, 64};
inline constexpr const char *power_blurb =
    "Exponent of the window sinc; 1 is shepp-logan, 1.5 has the noise of linear interpolation, 2 its blur";
inline constexpr Range power_range{0.1, 16};

enum class Padding { zero, edge };
inline constexpr Nick<Padding> padding_nicks[] = {{Padding::zero, "zero"}, {Padding::edge, "edge"}};
inline constexpr const char *padding_blurb = "What rows are padded with: zeros, or their first and last values";

} // namespace sino
