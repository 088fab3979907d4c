// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtered projections of a head with noise, and what back-projection makes of them by its definition, in double.
#pragma once
#include "tests/filters/back-project/node.hpp"
#include <cstring>

namespace sino::test {

// Shepp and Logan's head, another slice in each row; the noise has a standard deviation of 0.5 % of the largest line
// integral, and is there before the ramp filter.
struct HeadScan : NoiseScan {
  HeadScan (int64_t r, int64_t projections, int64_t c, unsigned seed = 1) : NoiseScan (r, projections, c, seed)
  {
    const auto number = [] (int64_t n) { return std::to_string (n); };
    auto integrals = run_task (*make_task ("simulate", {{"object", "shepp-logan-3d"},
                                                        {"z", "-0.25"},
                                                        {"width", number (c)},
                                                        {"height", number (r)},
                                                        {"projections", number (projections)}}),
                               {});
    auto *values_in = integrals.as<float> ();
    const auto n = r * projections * c;
    const double sigma = 0.005 * static_cast<double> (*std::max_element (values_in, values_in + n));
    std::mt19937 random (seed);
    std::normal_distribution<double> noise (0, sigma);
    std::for_each_n (values_in, n,
                     [&] (float &v) { v = static_cast<float> (static_cast<double> (v) + noise (random)); });
    const auto filtered = run_task (*make_task ("ramp-filter"), {&integrals});
    const auto *rows_of_projections = filtered.as<float> ();
    angles = integrals.format.geometry->angles;
    for (int64_t k = 0; k < projections; k++)
      for (int64_t row = 0; row < r; row++)
        for (int64_t column = 0; column < c; column++)
          value_at (row, k, column) = static_cast<double> (*rows_of_projections++);
  }

  double &value_at (int64_t row, int64_t k, int64_t column)
  {
    return values[static_cast<size_t> ((row * projections () + k) * columns + column)];
  }
};

// [row][y][x] of the full slices; NaN where a ray passes so near to the border of two points that rounding decides
// which one is nearest.
inline std::vector<double> slices_of (const NoiseScan &scan, const std::string &interpolation)
{
  const int64_t n = scan.columns, rows = scan.rows, border = 4; // zeros around the bins
  const auto rows_u = static_cast<size_t> (rows);
  const double fine = interpolation == "oversample" ? 4 : 1;
  std::vector<double> sums (static_cast<size_t> (n * n) * rows_u, 0),
      line (static_cast<size_t> (n + 2 * border) * rows_u, 0);
  for (int64_t k = 0; k < scan.projections (); k++) {
    const auto ray = static_cast<size_t> (k);
    for (int64_t c = 0; c < n; c++)
      for (int64_t row = 0; row < rows; row++)
        line[static_cast<size_t> ((c + border) * rows + row)] = scan.weights[ray] * scan.value (row, k, c);
    const double cos = std::cos (scan.angles[ray]), sin = std::sin (scan.angles[ray]);
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i < n; i++) {
        const double x = static_cast<double> (i) + 0.5 - static_cast<double> (n) / 2;
        const double y = static_cast<double> (j) + 0.5 - static_cast<double> (n) / 2;
        double at = scan.axis[ray] + x * cos - y * sin - 0.5;
        double *sum = sums.data () + static_cast<size_t> (j * n + i) * rows_u;
        if (at <= -2 || at >= static_cast<double> (n) + 1)
          continue;
        if (interpolation != "linear") {
          if (std::abs (std::abs (at * fine - std::round (at * fine)) - 0.5) < 2e-5)
            sum[0] = NAN;
          at = std::round (at * fine) / fine;
        }
        const double left = std::floor (at), w = at - left;
        const double *bins = line.data () + static_cast<size_t> (static_cast<int64_t> (left) + border) * rows_u;
        for (size_t row = 0; row < rows_u; row++)
          sum[row] += (1 - w) * bins[row] + w * bins[row + rows_u];
      }
  }
  std::vector<double> slices (sums.size ());
  for (size_t pixel = 0; pixel < static_cast<size_t> (n * n); pixel++)
    for (size_t row = 0; row < rows_u; row++)
      slices[row * static_cast<size_t> (n * n) + pixel] =
          std::isnan (sums[pixel * rows_u]) ? NAN : sums[pixel * rows_u + row];
  return slices;
}

// The error of one slice of the output, of the root mean square of what is true; with the mask, pixels outside the
// circle must be 0 and do not count.
inline double error_of_slice (const Array &out, int64_t z, const NoiseScan &scan, const std::vector<double> &truth,
                              bool mask = false)
{
  const auto &x = out.format.dim (Axis::x), &y = out.format.dim (Axis::y);
  const float *got = out.as<float> () + z * x.extent * y.extent;
  RelativeError error;
  for (int64_t j = y.first; j < y.first + y.extent; j++)
    for (int64_t i = x.first; i < x.first + x.extent; i++, got++) {
      if (mask && !scan.in_circle (i, j))
        g_assert_cmpfloat (*got, ==, 0);
      else
        error.add (*got, truth[static_cast<size_t> ((z * scan.columns + j) * scan.columns + i)]);
    }
  g_assert_cmpfloat (error.share_counted (), >, 0.9);
  return error.value ();
}

} // namespace sino::test
