// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/objects/detector.hpp"
#include "tasks/objects/poisson.hpp"
#include <algorithm>
#include <cmath>

namespace sino::objects {

static std::array<uint32_t, 2> key (uint32_t seed, Shot shot)
{
  return {seed, static_cast<uint32_t> (shot)};
}

static Words counter (int64_t column, int64_t row, int64_t number)
{
  return {static_cast<uint32_t> (column), static_cast<uint32_t> (row), static_cast<uint32_t> (number), 0};
}

static double around_zero (uint32_t word)
{
  return uniform (word, 0) * 2 - 1;
}

Detector::Detector (const DetectorOptions &options) : o (options)
{
  constexpr int64_t no_row = -1;
  for (int64_t u = 0; u < o.width; u++)
    stripes.push_back (around_zero (philox (counter (u, no_row, 0), key (o.seed, Shot::pattern))[0]));
}

Detector::Pixel Detector::pixel (int64_t column, int64_t row) const
{
  if (o.structure == 0 && o.dead == 0)
    return {1, 1, o.dark};
  const Words own = philox (counter (column, row, 0), key (o.seed, Shot::pattern));
  if (uniform (own[2], own[3]) < o.dead)
    return {0, 0, 0};
  const double x = static_cast<double> (2 * column + 1) / static_cast<double> (o.width) - 1;
  const double y = static_cast<double> (2 * row + 1) / static_cast<double> (o.height) - 1;
  const double stripe = stripes[static_cast<size_t> (column)];
  return {1 - o.structure * (0.35 * x * x + 0.15 * y * y),
          1 + o.structure * (0.1 * stripe + 0.05 * around_zero (own[0])),
          o.dark * (1 + 0.1 * o.structure * around_zero (own[1]))};
}

void Detector::expose (Shot shot, int64_t number, int64_t row, double beam, std::span<const double> transmission,
                       Element element, void *pixels, int64_t at) const
{
  for (int64_t u = 0; u < o.width; u++) {
    const Pixel p = pixel (u, row);
    // Fraction of the open beam. It is limited for objects that amplify: an infinite number of photons cannot be
    // sampled.
    double light = std::min (p.light * beam * transmission[static_cast<size_t> (u)], 1e6);
    if (o.photons > 0)
      light = poisson (light * o.photons, counter (u, row, number), key (o.seed, shot)) / o.photons;
    const double signal = p.dark + p.gain * o.open * light;
    if (element == Element::f32)
      static_cast<float *> (pixels)[at + u] = static_cast<float> (signal);
    else
      static_cast<uint16_t *> (pixels)[at + u] = static_cast<uint16_t> (std::floor (std::min (signal, o.top) + 0.5));
  }
}

} // namespace sino::objects
