// SPDX-License-Identifier: LGPL-3.0-or-later
// By one complex transform of the same length for two lines (J. Makhoul, A fast cosine transform in one and two
// dimensions, IEEE Trans. Acoust. Speech Signal Process. 28, 1980): even values in their order are followed by odd ones
// in reverse.
#include "kernels/iterate/cosine.hpp"
#include <cmath>
#include <numbers>

namespace sino::iterate {

Cosine::Cosine (const Fft &f) : fft (f), line (f), quarter_turns (static_cast<size_t> (f.length ()))
{
  for (size_t k = 0; k < quarter_turns.size (); k++) {
    const double angle = std::numbers::pi * static_cast<double> (k) / static_cast<double> (2 * fft.length ());
    quarter_turns[k] = {static_cast<float> (std::cos (angle)), static_cast<float> (std::sin (angle))};
  }
}

void Cosine::forward (float *a, float *b)
{
  const auto n = fft.length ();
  line.fill (n, [&] (int64_t i) {
    const auto j = 2 * i < n ? 2 * i : 2 * (n - i) - 1;
    return Complex{a[j], b[j]};
  });
  const auto *values = line.transformed ();
  for (int64_t k = 0; k < n; k++) {
    const auto one = values[k], other = std::conj (values[k ? n - k : 0]);
    const auto sum = one + other, difference = one - other; // 2 A, and 2 i B, for the transforms A and B of the lines
    const auto turn = quarter_turns[static_cast<size_t> (k)];
    a[k] = 0.5F * (turn.real () * sum.real () + turn.imag () * sum.imag ());
    b[k] = 0.5F * (turn.real () * difference.imag () - turn.imag () * difference.real ());
  }
}

void Cosine::backward (float *a, float *b)
{
  const auto n = fft.length ();
  const float scale = 1 / static_cast<float> (n);
  line.fill (n, [&] (int64_t k) {
    const auto turn = quarter_turns[static_cast<size_t> (k)];
    const auto whole = [&] (const float *x) {
      const float re = x[k], im = k ? -x[n - k] : 0;
      return Complex{turn.real () * re - turn.imag () * im, turn.real () * im + turn.imag () * re};
    };
    const auto first = whole (a), second = whole (b);
    return Complex{scale * (first.real () - second.imag ()), scale * (first.imag () + second.real ())};
  });
  const auto *values = line.transformed_back ();
  for (int64_t i = 0; i < n; i++) {
    const auto j = 2 * i < n ? 2 * i : 2 * (n - i) - 1;
    a[j] = values[i].real ();
    b[j] = values[i].imag ();
  }
}

} // namespace sino::iterate
