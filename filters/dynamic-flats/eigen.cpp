// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/dynamic-flats/eigen.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sino::dynamic_flats {

namespace {

// Rotates axes p and q so that element (p, q) of the matrix becomes 0. The rows of `turned` are the axes.
void rotate (std::vector<double> &a, std::vector<double> &turned, size_t n, size_t p, size_t q)
{
  const double apq = a[p * n + q];
  if (apq == 0)
    return;
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs (theta) + std::sqrt (theta * theta + 1));
  const double c = 1 / std::sqrt (t * t + 1), s = t * c;
  const auto mix = [&] (double &x, double &y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (size_t i = 0; i < n; i++)
    mix (a[i * n + p], a[i * n + q]);
  for (size_t i = 0; i < n; i++)
    mix (a[p * n + i], a[q * n + i]);
  for (size_t i = 0; i < n; i++)
    mix (turned[p * n + i], turned[q * n + i]);
}

double beside_diagonal (const std::vector<double> &a, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++)
      sum += a[i * n + j] * a[i * n + j];
  return sum;
}

} // namespace

Eigen eigen_of (std::vector<double> matrix, size_t n)
{
  std::vector<double> axes (n * n);
  double all = 0;
  for (size_t i = 0; i < n; i++) {
    axes[i * n + i] = 1;
    all += matrix[i * n + i] * matrix[i * n + i];
  }
  for (int sweep = 0; sweep < 60 && beside_diagonal (matrix, n) > 1e-24 * all; sweep++, step_unless_cancelled ())
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++)
        rotate (matrix, axes, n, p, q);
  std::vector<size_t> order (n);
  std::iota (order.begin (), order.end (), size_t{0});
  std::ranges::stable_sort (order, [&] (size_t i, size_t j) { return matrix[i * n + i] > matrix[j * n + j]; });
  Eigen result;
  for (const auto i : order) {
    result.values.push_back (matrix[i * n + i]);
    result.vectors.insert (result.vectors.end (), &axes[i * n], &axes[i * n] + n);
  }
  return result;
}

} // namespace sino::dynamic_flats
