// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/fft/chirp.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino {

// to = a b, complex. `to` may be `a`.
static void multiply (const float *a, const float *b, int64_t n, float *to)
{
  for (int64_t i = 0; i < 2 * n; i += 2) {
    const float re = a[i] * b[i] - a[i + 1] * b[i + 1], im = a[i] * b[i + 1] + a[i + 1] * b[i];
    to[i] = re;
    to[i + 1] = im;
  }
}

static void swap_parts (const float *from, int64_t n, float *to)
{
  for (int64_t i = 0; i < 2 * n; i += 2) {
    const float re = from[i];
    to[i] = from[i + 1];
    to[i + 1] = re;
  }
}

int64_t Chirp::padded (int64_t length)
{
  return FftPlan::good_length (std::max<int64_t> (2 * length - 1, 16));
}

size_t Chirp::most_bytes (int64_t length)
{
  const auto values = static_cast<size_t> (length + padded (length) + work_values (length));
  return 2 * values * sizeof (float) + FftPlan::most_bytes (padded (length));
}

Chirp::Chirp (int64_t l, const FftKernel &kernel)
    : length (l), plan (padded (length), kernel), response (static_cast<size_t> (2 * plan.length ()))
{
  const auto n = static_cast<size_t> (length), m = static_cast<size_t> (plan.length ());
  std::vector<float> convolved (2 * m), work (2 * m);
  turns.resize (2 * n);
  for (size_t j = 0; j < n; j++) {
    const double angle = std::numbers::pi * static_cast<double> (j * j % (2 * n)) / static_cast<double> (n);
    turns[2 * j] = static_cast<float> (std::cos (angle));
    turns[2 * j + 1] = static_cast<float> (-std::sin (angle));
    for (const auto place : {j, (m - j) % m}) {
      convolved[2 * place] = static_cast<float> (std::cos (angle) / static_cast<double> (m));
      convolved[2 * place + 1] = static_cast<float> (std::sin (angle) / static_cast<double> (m));
    }
  }
  plan.kernel.transform (plan, convolved.data (), response.data (), work.data (), false);
}

void Chirp::transform (const float *from, float *to, float *work, bool back) const
{
  const auto m = plan.length ();
  float *values = work, *spectrum = values + 2 * m, *inner = spectrum + 2 * m;
  if (back)
    swap_parts (from, length, to);
  multiply (back ? to : from, turns.data (), length, values);
  std::fill (values + 2 * length, values + 2 * m, 0.f);
  plan.kernel.transform (plan, values, spectrum, inner, false);
  multiply (spectrum, response.data (), m, spectrum);
  plan.kernel.transform (plan, spectrum, values, inner, true);
  multiply (values, turns.data (), length, to);
  if (back)
    swap_parts (to, length, to);
}

} // namespace sino
