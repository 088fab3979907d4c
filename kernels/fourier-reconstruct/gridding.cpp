// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/fourier-reconstruct/gridding.hpp"
#include "base/error.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::fourier_reconstruct {

int width_for (double accuracy)
{
  return accuracy >= 1e-3 ? 4 : accuracy >= 2e-4 ? 5 : accuracy >= best_accuracy ? 6 : 0;
}

Gridding::Gridding (int64_t n, int64_t p, int64_t g, int width)
    : size (n), padded (p), grid (g), phi (width, static_cast<double> (g) / static_cast<double> (n)),
      correction (static_cast<size_t> (n))
{
  for (int64_t m = -(n / 2); m <= 0; m++) {
    const auto value = 1 / phi.transform (static_cast<double> (m) / static_cast<double> (g));
    for (const auto i : {n / 2 + m, n / 2 - m})
      if (i < n)
        correction[static_cast<size_t> (i)] = static_cast<float> (m % 2 ? -value : value);
  }
}

// A term is at most a sum of P values, times the response. Rays without weight have no terms.
int Gridding::exponent_of (float weight) const
{
  const double bound = static_cast<double> (padded) * largest_response * static_cast<double> (std::abs (weight));
  return bound > 0 ? std::ilogb (bound) + 1 : 0;
}

double response_at (const Filter &filter, int64_t padded, int64_t k, double ramp)
{
  const auto length = static_cast<double> (padded), frequency = 2 * static_cast<double> (k) / length;
  const auto window = ramp_filter::window_at (filter.window, frequency, filter.cutoff, filter.order, filter.power);
  const auto slope = filter.window == ramp_filter::Window::none ? 1 : ramp / filter.spacing;
  return slope * window * (1 / length);
}

static int64_t length_for (int64_t least, int64_t size)
{
  const auto length = good_length (least);
  if (length == 0)
    fail (SINO_ERROR_BAD_FORMAT,
          "rows of %" G_GINT64_FORMAT " columns need transforms of %" G_GINT64_FORMAT
          " values with this axis, but at most %" G_GINT64_FORMAT " are possible: use back-project",
          size, least, longest_fft);
  return length;
}

Gridding gridding_for (const Job &job)
{
  const auto size = job.slice ? job.slice : job.size;
  return {size, padded_for (size, job.rays), grid_for (size, job.oversampling), job.width};
}

int64_t padded_for (int64_t size, std::span<const Ray> rays)
{
  return 2 * length_for ((least_padding (size, rays) + 1) / 2, size);
}

int64_t grid_for (int64_t size, double oversampling)
{
  return length_for (static_cast<int64_t> (std::ceil (oversampling * static_cast<double> (size))), size);
}

int64_t least_padding (int64_t size, std::span<const Ray> rays)
{
  // The distance from the slice's centre to its corners.
  const auto reach = static_cast<double> (size) / std::numbers::sqrt2;
  double least = 2 * static_cast<double> (size);
  for (const auto &ray : rays) {
    least = std::max (least, ray.origin + reach + 1);
    least = std::max (least, static_cast<double> (size) - (ray.origin - reach) + 1);
  }
  return static_cast<int64_t> (std::ceil (std::min (least, 1e18))); // the axis may be any number
}

} // namespace sino::fourier_reconstruct
