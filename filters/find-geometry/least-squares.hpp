// SPDX-License-Identifier: LGPL-3.0-or-later
// Least squares for the numbers of a detector, with errors that do not assume anything about the noise.
#pragma once
#include "filters/find-geometry/detector.hpp"
#include <functional>
#include <vector>

namespace sino::find_geometry {

using Square = std::array<Values, numbers>;

// Which numbers are free.
using Free = std::array<bool, numbers>;

struct Fit {
  Values values;
  Square covariance{}; // 0 for numbers that were not free
  Values white{};
  double rms = 0; // root mean square of what is left
  double error (Number number) const;
};

// What is left for some values: always as many numbers, in `groups` groups of consecutive ones of about equal size.
using Residuals = std::function<void (const Values &values, std::vector<double> &left)>;

// Gauss-Newton with damping from `start`, which stays near `origin`. `steps`: differences for derivatives. The
// covariance is that of a jackknife over the groups.
Fit least_squares (const Values &start, const Values &origin, const Values &steps, const Free &free,
                   const Residuals &residuals, size_t groups, int rounds);

// Solves the normal equations for the free numbers; false if they have no solution.
bool solve (const Square &matrix, const Values &right, const Free &free, Values &solution);

} // namespace sino::find_geometry
