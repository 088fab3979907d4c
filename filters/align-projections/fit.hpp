// SPDX-License-Identifier: LGPL-3.0-or-later
// Least squares with a few unknowns: normal equations that are added up value by value.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace sino::align_projections {

template <size_t n> class Fit
{
public:
  struct Solution {
    std::array<double, n> unknowns;
    double error; // standard error of the first unknown
  };

  void add (const std::array<double, n> &factors, double value)
  {
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++)
        matrix[i][j] += factors[i] * factors[j];
      right[i] += factors[i] * value;
    }
    squares += value * value;
    count++;
  }

  // None if the values do not determine the unknowns.
  std::optional<Solution> solve () const
  {
    // Gauss-Jordan, with the first column of the inverse beside the right side.
    auto a = matrix;
    auto x = right;
    std::array<double, n> inverse{1};
    for (size_t i = 0; i < n; i++) {
      size_t pivot = i;
      for (size_t j = i + 1; j < n; j++)
        if (std::abs (a[j][i]) > std::abs (a[pivot][i]))
          pivot = j;
      if (!(std::abs (a[pivot][i]) > 1e-12 * (matrix[i][i] + 1e-300)))
        return {};
      std::swap (a[i], a[pivot]);
      std::swap (x[i], x[pivot]);
      std::swap (inverse[i], inverse[pivot]);
      for (size_t j = 0; j < n; j++) {
        if (j == i)
          continue;
        const double factor = a[j][i] / a[i][i];
        for (size_t k = i; k < n; k++)
          a[j][k] -= factor * a[i][k];
        x[j] -= factor * x[i];
        inverse[j] -= factor * inverse[i];
      }
    }
    double rest = squares;
    for (size_t i = 0; i < n; i++) {
      x[i] /= a[i][i];
      rest -= x[i] * right[i];
    }
    const auto freedom = static_cast<double> (count) - static_cast<double> (n);
    if (!(freedom > 0))
      return {};
    return Solution{x, std::sqrt (std::abs (rest * inverse[0] / a[0][0]) / freedom)};
  }

private:
  std::array<std::array<double, n>, n> matrix{};
  std::array<double, n> right{};
  double squares = 0;
  int64_t count = 0;
};

} // namespace sino::align_projections
