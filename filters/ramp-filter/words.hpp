// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of all nodes that filter rows.
#pragma once
#include "glue/property.hpp"
#include "kernels/ramp-filter/response.hpp"
#include "stream/format.hpp"

namespace sino::ramp_filter {

inline constexpr Nick<Window> window_nicks[] = {
    {Window::ram_lak, "ram-lak"}, {Window::shepp_logan, "shepp-logan"},
    {Window::cosine, "cosine"},   {Window::hann, "hann"},
    {Window::hamming, "hamming"}, {Window::butterworth, "butterworth"},
    {Window::parzen, "parzen"},   {Window::sinc, "sinc"},
    {Window::none, "none"},
};
enum class Padding { automatic, zero, edge };
inline constexpr Nick<Padding> padding_nicks[] = {
    {Padding::automatic, "auto"}, {Padding::zero, "zero"}, {Padding::edge, "edge"}};
inline constexpr const char *padding_blurb =
    "Values to pad rows with: zero, edge (the first and last values of the row), or auto: edge if find-axis found that "
    "values do not fall to zero there";

// Parameters of the window and the padding.
struct RampSettings {
  double cutoff = 1, power = 1.5;
  int order = 2;
  Padding padding_mode = Padding::automatic;

  bool pads_edges (const Format &in) const
  {
    return padding_mode == Padding::edge || (padding_mode == Padding::automatic && in.truncated);
  }

  static constexpr std::array properties{
      prop<&RampSettings::cutoff> (
          "cutoff", "Frequency at which the window ends, as a fraction of the Nyquist frequency", Range{0.001, 1}),
      prop<&RampSettings::order> ("order", "Steepness of the Butterworth window", Range{1, 64}),
      prop<&RampSettings::power> (
          "power",
          "Exponent of the sinc window; 1 is shepp-logan, 1.5 has the noise of linear interpolation, 2 has its blur",
          Range{0.1, 16}),
      prop<&RampSettings::padding_mode> ("padding-mode", padding_blurb, padding_nicks),
  };
};

} // namespace sino::ramp_filter
