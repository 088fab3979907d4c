// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/mirror.hpp"
#include "base/cancellation.hpp"
#include "filters/find-geometry/interpolation.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_geometry {

Image mean_of (const Reduced &scan)
{
  const auto size = static_cast<size_t> (scan.rows * scan.columns);
  std::vector<double> sums (size, 0);
  for (int64_t view = 0; view < scan.views (); view++) {
    step_unless_cancelled ();
    const float *from = scan.row (view, 0);
    const double share = scan.shares[static_cast<size_t> (view)];
    for (size_t i = 0; i < size; i++)
      sums[i] += share * static_cast<double> (from[i]);
  }
  Image mean{scan.columns, scan.rows, std::vector<float> (size)};
  for (size_t i = 0; i < size; i++)
    mean.values[i] = static_cast<float> (sums[i]);
  return mean;
}

double mirror_column (const Image &mean, double given)
{
  const auto columns = mean.columns;
  double best = given, least = 1e300;
  // Twice the column of the axis. Some columns are needed on both sides of it.
  const int64_t middle = std::lround (2 * std::clamp (given, 0.0, static_cast<double> (columns))),
                edge = std::max<int64_t> (columns / 5, 12);
  for (auto twice = std::max (middle - columns / 2, edge); twice <= std::min (middle + columns / 2, 2 * columns - edge);
       twice++) {
    double difference = 0, size = 0;
    const auto first = std::max<int64_t> (twice - columns, 0), last = std::min (twice - 1, columns - 1);
    for (int64_t row = mean.rows / 4; row < std::max (mean.rows - mean.rows / 4, mean.rows / 4 + 1); row++) {
      const float *values = mean.row (row);
      double sum = 0;
      for (auto u = first; u <= last; u++)
        sum += static_cast<double> (values[u]);
      const double level = sum / static_cast<double> (last - first + 1);
      for (auto u = first; u <= last; u++) {
        const double d = static_cast<double> (values[u]) - static_cast<double> (values[twice - 1 - u]),
                     s = static_cast<double> (values[u]) - level;
        difference += d * d;
        size += s * s;
      }
    }
    if (const double ratio = difference / std::max (size, 1e-30); ratio < least) {
      least = ratio;
      best = 0.5 * static_cast<double> (twice);
    }
  }
  return best;
}

Mirror::Mirror (const Image &image, const Values &start, double row_aspect)
    : mean (&image), aspect (row_aspect), detector (detector_of (start, row_aspect)),
      half (std::min (detector.axis, static_cast<double> (image.columns) - detector.axis) - 3)
{
}

void Mirror::add (const Values &values, double weight, std::vector<double> &left) const
{
  auto now = detector_of (values, aspect);
  now.distance = detector.distance; // which the mean hardly shows
  const auto panel = panel_of (now);
  const int64_t edge = 2;
  for (int64_t line = edge; line < mean->rows - edge; line++) {
    const double kappa = (static_cast<double> (line) + 0.5 - detector.row) * aspect / detector.distance;
    for (double u = 0.5; u < half; u += 1) {
      const double gamma = std::atan (u / detector.distance), s = std::sin (gamma), c = std::cos (gamma);
      const auto a = panel.spot ({s, c, kappa * c}), b = panel.spot ({-s, c, kappa * c});
      Place x, y;
      const bool seen = find_place (mean->columns, mean->rows, a.column, a.row, x) &&
                        find_place (mean->columns, mean->rows, b.column, b.row, y);
      left.push_back (
          seen ? weight * (value_at (mean->row (0), mean->columns, x) - value_at (mean->row (0), mean->columns, y))
               : 0);
    }
  }
}

} // namespace sino::find_geometry
