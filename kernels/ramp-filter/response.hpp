// SPDX-License-Identifier: LGPL-3.0-or-later
// Frequency responses of ramp filters, in double.
#pragma once
#include <cstdint>
#include <vector>

namespace sino::ramp_filter {

// The transform of the band-limited ramp sampled in space, with a period of `length` samples (A. C. Kak, M. Slaney,
// Principles of Computerized Tomographic Imaging, 1988, equation 61, at a sample distance of 1):
//   h(0) = 1/4,  h(n) = -1 / (pi n)^2 for odd n,  0 for even n
// Unlike |f| sampled in frequency, it gives the correct mean of a slice.
class Ramp
{
public:
  explicit Ramp (int64_t length); // a multiple of 4
  double at (int64_t k) const;    // frequency k / length, k = 0 .. length / 2

private:
  int64_t length;
  std::vector<double> cosine, weights;
};

enum class Window { ram_lak, shepp_logan, cosine, hann, hamming, butterworth, parzen, sinc, none };

// Returns the factor of a window; `frequency` and `cutoff` in units of Nyquist's frequency. `order`: for butterworth;
// `power`: for sinc.
double window_at (Window window, double frequency, double cutoff, int order, double power);

} // namespace sino::ramp_filter
