// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/iterate/metric.hpp"
#include "kernels/iterate/largest.hpp"
#include "kernels/iterate/steps.hpp"
#include <algorithm>

namespace sino::iterate {

using std::numbers::pi;

namespace {

constexpr double share_of_circulant = 2.5;

// Pairs of points of a disc that lie `distance` apart: the area that it has in common with its copy there.
double pairs (double radius, double distance)
{
  const double half = distance / 2;
  return half >= radius
             ? 0
             : 2 * radius * radius * std::acos (half / radius) - 2 * half * std::sqrt (radius * radius - half * half);
}

double frequency (int64_t i, int64_t size)
{
  return static_cast<double> (2 * i < size ? i : i - size) / static_cast<double> (size);
}

// The mean over directions of T's frequencies, for many rays: the density of rays, 1 / (pi |f|), within the circle that
// they reach. `x`, `y`: cycles per pixel.
double mean_density (double x, double y, int64_t size)
{
  const double f = std::hypot (x, y), h = response (f, f > 0 ? x / f : 1, f > 0 ? y / f : 0);
  constexpr double reached = 0.52, beyond = 2e-4;
  return (f <= reached ? h * h / (pi * std::max (f, 0.5 / static_cast<double> (size))) : 0) + beyond;
}

template <class Value> std::vector<float> for_frequencies (int64_t size, const Cpu &cpu, Value value)
{
  std::vector<float> values (static_cast<size_t> (size * size));
  cpu.parallel (size, 16, [&] (int64_t begin, int64_t end) {
    for (auto y = begin; y < end; y++)
      for (int64_t x = 0; x < size; x++)
        values[static_cast<size_t> (y * size + x)] = static_cast<float> (value (x, y));
  });
  return values;
}

// cos (2 pi f) of all frequencies f.
std::vector<double> cosines (int64_t size)
{
  std::vector<double> values;
  for (int64_t i = 0; i < size; i++)
    values.push_back (std::cos (2 * pi * frequency (i, size)));
  return values;
}

} // namespace

std::vector<float> circulant_of (const Lags &lags, double radius, const Cpu &cpu)
{
  const auto n = lags.size;
  std::vector<float> columns (static_cast<size_t> ((n / 2 + 1) * n));
  cpu.parallel (n / 2 + 1, 8, [&] (int64_t begin, int64_t end) {
    for (auto x = begin; x < end; x++)
      for (int64_t y = 0; y < n; y++) {
        double sum = 0, weight = 0;
        for (const auto lag_x : {x, x - n})
          for (const auto lag_y : {y, y - n}) {
            const auto all = pairs (radius, std::hypot (lag_x, lag_y));
            if (all <= 0)
              continue;
            const bool turned = lag_x < 0; // the lags with x < 0 are those of -x and -y
            if (turned && lag_y == -n)
              continue;
            sum += all * static_cast<double> (lags.column (turned ? -lag_x : lag_x)[(turned ? -lag_y : lag_y) + n]);
            weight += all;
          }
        columns[static_cast<size_t> (x * n + y)] = static_cast<float> (sum / std::max (weight, 1.0));
      }
  });
  return even_frequencies (n, std::move (columns), cpu);
}

std::vector<float> tv_metric (const Lags &lags, std::span<const float> frequencies, double radius,
                              double columns_per_projection, const Cpu &cpu)
{
  const auto n = lags.size;
  const auto circulant = circulant_of (lags, radius, cpu);
  const auto cos = cosines (n);
  auto metric = for_frequencies (n, cpu, [&] (int64_t x, int64_t y) {
    const double s = std::max (static_cast<double> (circulant[static_cast<size_t> (y * n + x)]),
                               0.5 * mean_density (frequency (x, n), frequency (y, n), n));
    const double laplacian = 4 - 2 * cos[static_cast<size_t> (x)] - 2 * cos[static_cast<size_t> (y)];
    const double gradient = static_cast<double> (dual_step) * laplacian + static_cast<double> (positive_step);
    return 1 / (share_of_circulant * s + margin_of_gradient * gradient);
  });
  if (columns_per_projection > safe_columns_per_projection)
    if (const auto largest = 1.02 * largest_eigenvalue (n, frequencies, metric, radius, cpu); largest > 1)
      for (auto &value : metric)
        value /= static_cast<float> (largest);
  return metric;
}

} // namespace sino::iterate
