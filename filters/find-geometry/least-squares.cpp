// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/least-squares.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_geometry {

double Fit::error (Number number) const
{
  return std::sqrt (covariance[number][number]);
}

bool solve (const Square &matrix, const Values &right, const Free &free, Values &solution)
{
  // Cholesky, without the numbers that are not free.
  std::array<size_t, numbers> index;
  size_t n = 0;
  for (size_t i = 0; i < numbers; i++)
    if (free[i])
      index[n++] = i;
  Square lower{};
  Values y{};
  solution = {};
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      double sum = matrix[index[i]][index[j]];
      for (size_t k = 0; k < j; k++)
        sum -= lower[i][k] * lower[j][k];
      if (i == j && !(sum > 1e-12 * matrix[index[i]][index[i]]))
        return false;
      lower[i][j] = i == j ? std::sqrt (sum) : sum / lower[j][j];
    }
    y[i] = right[index[i]];
    for (size_t k = 0; k < i; k++)
      y[i] -= lower[i][k] * y[k];
    y[i] /= lower[i][i];
  }
  for (size_t i = n; i-- > 0;) {
    double sum = y[i];
    for (size_t k = i + 1; k < n; k++)
      sum -= lower[k][i] * solution[index[k]];
    solution[index[i]] = sum / lower[i][i];
  }
  return true;
}

namespace {

struct Normal {
  Square matrix{};
  Values right{};

  void add (const std::array<std::vector<double>, numbers> &slopes, const std::vector<double> &left, const Free &free,
            size_t begin, size_t end)
  {
    for (size_t a = 0; a < numbers; a++) {
      if (!free[a])
        continue;
      for (size_t b = 0; b <= a; b++) {
        if (!free[b])
          continue;
        double sum = 0;
        for (size_t i = begin; i < end; i++)
          sum += slopes[a][i] * slopes[b][i];
        matrix[a][b] += sum;
        if (a != b)
          matrix[b][a] += sum;
      }
      double sum = 0;
      for (size_t i = begin; i < end; i++)
        sum -= slopes[a][i] * left[i];
      right[a] += sum;
    }
  }
};

// A scan that fits no place of a detector drives the numbers to where no ray meets it.
bool is_near (const Values &values, const Values &origin)
{
  constexpr double most_turn = 0.5, most_scale = 2; // radians, and logarithm of the distance
  const auto change = [&] (Number number) { return std::abs (values[number] - origin[number]); };
  return change (yaw_number) < most_turn && change (pitch_number) < most_turn && change (roll_number) < most_turn &&
         change (distance_number) < most_scale && change (axis_number) < std::exp (origin[distance_number]);
}

double energy (const std::vector<double> &left)
{
  double sum = 0;
  for (const double value : left)
    sum += value * value;
  return sum;
}

} // namespace

Fit least_squares (const Values &start, const Values &origin, const Values &steps, const Free &free,
                   const Residuals &residuals, size_t groups, int rounds)
{
  Fit fit{.values = start};
  std::vector<double> left, moved;
  std::array<std::vector<double>, numbers> slopes;
  residuals (fit.values, left);
  double damping = 1e-3;
  const auto slope = [&] {
    for (size_t a = 0; a < numbers; a++) {
      if (!free[a])
        continue;
      auto beside = fit.values;
      beside[a] += steps[a];
      residuals (beside, slopes[a]);
      for (size_t i = 0; i < left.size (); i++)
        slopes[a][i] = (slopes[a][i] - left[i]) / steps[a];
    }
  };
  for (int round = 0; round < rounds; round++) {
    step_unless_cancelled ();
    slope ();
    Normal normal;
    normal.add (slopes, left, free, 0, left.size ());
    bool better = false;
    double change = 0;
    for (int attempt = 0; attempt < 6 && !better; attempt++) {
      auto matrix = normal.matrix;
      for (size_t a = 0; a < numbers; a++)
        matrix[a][a] *= 1 + damping;
      Values step;
      if (solve (matrix, normal.right, free, step)) {
        auto values = fit.values;
        for (size_t a = 0; a < numbers; a++)
          values[a] += step[a];
        if (is_near (values, origin))
          residuals (values, moved);
        if (is_near (values, origin) && energy (moved) < energy (left)) {
          better = true;
          for (size_t a = 0; a < numbers; a++)
            change = std::max (change, std::abs (step[a]) / steps[a]);
          fit.values = values;
          left.swap (moved);
          damping = std::max (0.1 * damping, 1e-9);
          break;
        }
      }
      damping *= 10;
    }
    if (!better || change < 0.02)
      break;
  }
  slope ();
  const auto edge = [&] (size_t group) { return left.size () * group / groups; };
  Normal all;
  std::vector<Normal> parts (groups);
  for (size_t g = 0; g < groups; g++) {
    parts[g].add (slopes, left, free, edge (g), edge (g + 1));
    for (size_t a = 0; a < numbers; a++) {
      all.right[a] += parts[g].right[a];
      for (size_t b = 0; b < numbers; b++)
        all.matrix[a][b] += parts[g].matrix[a][b];
    }
  }
  std::vector<Values> without;
  Values mean{};
  for (const auto &part : parts) {
    auto matrix = all.matrix;
    auto right = all.right;
    for (size_t a = 0; a < numbers; a++) {
      right[a] -= part.right[a];
      for (size_t b = 0; b < numbers; b++)
        matrix[a][b] -= part.matrix[a][b];
    }
    Values step;
    if (!solve (matrix, right, free, step))
      continue;
    without.push_back (step);
    for (size_t a = 0; a < numbers; a++)
      mean[a] += step[a];
  }
  for (auto &value : mean)
    value /= static_cast<double> (std::max<size_t> (without.size (), 1));
  const double n = static_cast<double> (without.size ());
  for (size_t a = 0; a < numbers; a++)
    for (size_t b = 0; b < numbers; b++) {
      double sum = 0;
      for (const auto &step : without)
        sum += (step[a] - mean[a]) * (step[b] - mean[b]);
      fit.covariance[a][b] = n < 2 ? (a == b && free[a] ? 1e12 : 0) : sum * (n - 1) / n;
    }
  for (size_t a = 0; a < numbers; a++) {
    Values unit{}, column;
    unit[a] = 1;
    if (free[a] && solve (all.matrix, unit, free, column))
      fit.white[a] = column[a] * energy (left) / static_cast<double> (std::max<size_t> (left.size (), 1));
  }
  fit.rms = left.empty () ? 0 : std::sqrt (energy (left) / static_cast<double> (left.size ()));
  return fit;
}

} // namespace sino::find_geometry
