// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/polychromatic.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <cmath>

namespace sino::beam_hardening {

Polychromatic::Polychromatic (const Spectrum &s, const Material &material) : spectrum (s)
{
  for (const double energy : spectrum.energies)
    attenuations.push_back (material.attenuation (energy));
}

Polychromatic::Value Polychromatic::at (double length, const std::vector<double> &weights) const
{
  double sum = 0, slope = 0;
  for (size_t i = 0; i < weights.size (); i++) {
    const double part = weights[i] * std::exp (-attenuations[i] * length);
    sum += part;
    slope += part * attenuations[i];
  }
  return {-std::log (sum), slope / sum};
}

// The attenuation rises ever more slowly, so Newton's steps from below never go too far.
double Polychromatic::length (double attenuation, double start, const std::vector<double> &weights) const
{
  constexpr int most_steps = 100;
  double length = start;
  for (int i = 0; i < most_steps; i++) {
    const auto [value, slope] = at (length, weights);
    const double step = (attenuation - value) / slope;
    length += step;
    if (std::abs (step) <= 1e-9 * length)
      break;
  }
  return length;
}

std::vector<double> Polychromatic::behind (double length) const
{
  auto weights = spectrum.weights;
  for (size_t i = 0; i < weights.size (); i++)
    weights[i] *= std::exp (-attenuations[i] * length);
  return weights;
}

Curve linearized (const Polychromatic &beam, double one)
{
  constexpr int steps = 4096;
  std::vector<double> values{0};
  double length = 0;
  for (int i = 1; i <= steps; i++) {
    length = beam.length (most_attenuation * i / steps, length, beam.weights ());
    values.push_back (one * length);
  }
  return Curve::table (values, most_attenuation / steps);
}

TwoMaterials::TwoMaterials (const Polychromatic &first, const Polychromatic &second, double one, double two)
    : length_step (second.length (most_attenuation, 0, second.weights ()) / static_cast<double> (down))
{
  for (int64_t j = 0; j <= down; j++) {
    check_cancelled ();
    const double dense = static_cast<double> (j) * length_step;
    const auto weights = second.behind (dense);
    const auto [least, slope] = first.at (0, weights);
    double length = 0;
    for (int64_t i = 0; i <= across; i++) {
      const double attenuation = most_attenuation * static_cast<double> (i) / static_cast<double> (across);
      // less than the second material alone: a straight line, because noise must stay noise
      length = attenuation < least ? 0 : first.length (attenuation, length, weights);
      values.push_back (
          static_cast<float> (one * (attenuation < least ? (attenuation - least) / slope : length) + two * dense));
    }
  }
}

float TwoMaterials::at (float attenuation, float length) const
{
  const auto place = [] (double x, int64_t steps) {
    return std::clamp<int64_t> (static_cast<int64_t> (x), 0, steps - 1);
  };
  if (!std::isfinite (attenuation) || !std::isfinite (length))
    return attenuation + length;
  // Beyond the table, its outermost cells continue.
  const double x = std::clamp (static_cast<double> (attenuation) * across / most_attenuation, -1e9, 1e9),
               y = std::clamp (static_cast<double> (length) / length_step, 0.0, 1e9);
  const auto i = place (x, across), j = place (y, down);
  const double u = x - static_cast<double> (i), v = y - static_cast<double> (j);
  const auto *cell = &values[static_cast<size_t> (j * (across + 1) + i)];
  return static_cast<float> ((1 - v) * ((1 - u) * cell[0] + u * cell[1]) +
                             v * ((1 - u) * cell[across + 1] + u * cell[across + 2]));
}

} // namespace sino::beam_hardening
