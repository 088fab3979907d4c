// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/problem.hpp"
#include "base/divide-up.hpp"
#include "base/error.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include "kernels/iterate/stack.hpp"
#include <cmath>
#include <numbers>

namespace sino::iterative_reconstruct {

constexpr double larger_grid = 1.25;

Problem problem_of (int64_t columns, bool truncated, std::vector<Ray> rays)
{
  const auto least =
      truncated ? static_cast<int64_t> (std::ceil (larger_grid * static_cast<double> (columns))) : columns;
  // T needs transforms of twice the length, and its grid of four times.
  const auto size = 4 * least > fourier_reconstruct::longest_fft ? 0 : fourier_reconstruct::good_length (least);
  if (size == 0 || 4 * size > fourier_reconstruct::longest_fft)
    fail (SINO_ERROR_BAD_FORMAT,
          "rows of %" G_GINT64_FORMAT " columns%s are too long: at most %" G_GINT64_FORMAT
          " are possible; use method=fourier, or put 'bin' or 'crop' before this node",
          columns, truncated ? ", continued to a quarter more," : "",
          truncated ? fourier_reconstruct::longest_fft / 5 : fourier_reconstruct::longest_fft / 4);
  Problem problem{.columns = columns,
                  .size = size,
                  .margin = truncated ? (size - columns) / 2 : -1,
                  .rays = std::move (rays),
                  .roi = {},
                  .mask = false,
                  .pixel_size = 1,
                  .row = 0,
                  .window = 1,
                  .solving = {}};
  for (auto &ray : problem.rays) {
    if (truncated)
      ray.origin += static_cast<double> (problem.margin);
    // Gridding counts an image's pixels from its own middle, which is half a pixel from that of a slice with odd size.
    ray.origin += (problem.shift () - 0.5) * (ray.cos - ray.sin);
    ray.weight /= std::numbers::pi_v<float>;
  }
  return problem;
}

iterate::Sinograms Problem::sinograms (const float *values, int64_t stride, int lanes,
                                       std::span<const iterate::ValueNoise> known) const
{
  return {.values = values,
          .angles = std::ssize (rays),
          .columns = columns,
          .stride = stride,
          .lanes = lanes,
          .known = known};
}

int64_t Problem::stacks () const
{
  return solving.deep ? divide_up (window, static_cast<int64_t> (iterate::stack_lanes ())) : 1;
}

kernels::VectorSet Problem::vectors (int lanes) const
{
  return iterate::vectors_for (solving.deep || solving.tries () ? iterate::most_lanes : lanes);
}

// Twice the standard deviation of the noise in a pixel of c, for 512 columns. TV removes regions of r x r pixels whose
// sum is less than lambda times their border, 4 r. The noise of c has the power 1 / frequency, so such a sum has a
// standard deviation of r^1.5. Details of an object are as many pixels wide as the slice is finely divided, so that
// lambda must grow as the square root of the columns. In three dimensions less is enough, because the noise of
// neighbouring slices has nothing in common: 0.7 times as much, by measurement.
double Problem::weight_of_noise (double middle) const
{
  constexpr double usual_columns = 512;
  return (solving.deep ? 1.4 : 2) *
         std::sqrt (middle / static_cast<double> (rays.size ()) * static_cast<double> (columns) / usual_columns);
}

} // namespace sino::iterative_reconstruct
