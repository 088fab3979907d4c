// SPDX-License-Identifier: LGPL-3.0-or-later
// After H. Theil, A rank-invariant method of linear and polynomial regression analysis, Indag. Math. 12, 1950, 85, and
// P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, J. Am. Stat. Assoc. 63, 1968, 1379.
#include "filters/find-axis/tilt.hpp"
#include <algorithm>

namespace sino::find_axis {

namespace {

constexpr size_t fewest = 6, fewest_apart = 3;
// as a share of the greatest weight: rows with less weight hardly see the object
constexpr double least_weight = 0.05;
constexpr double least_spread = 0.01; // columns: smallest error of an axis
constexpr double apart = 5;           // rows, more than a band has: errors of nearer rows are correlated

// Number of points, where near points count as one.
double independent (const std::vector<Point> &points)
{
  double groups = 0, last = -HUGE_VAL;
  for (const auto &point : points)
    if (point.at - last >= apart) {
      groups++;
      last = point.at;
    }
  return groups;
}

double middle_slope (const std::vector<Point> &points)
{
  std::vector<Point> slopes;
  for (size_t i = 0; i < points.size (); i++)
    for (size_t k = i + 1; k < points.size (); k++)
      if (const double way = points[k].at - points[i].at; way >= apart)
        slopes.push_back ({0, (points[k].value - points[i].value) / way, points[i].weight * points[k].weight * way});
  return median_of (slopes);
}

} // namespace

double median_of (const std::vector<Point> &points)
{
  auto list = points;
  std::ranges::sort (list, {}, &Point::value);
  double sum = 0, before = 0;
  for (const auto &point : list)
    sum += point.weight;
  for (const auto &point : list)
    if ((before += point.weight) >= 0.5 * sum)
      return point.value;
  return list.empty () ? 0 : list.back ().value;
}

std::optional<Line> fit_line (const std::vector<Point> &points)
{
  double heaviest = 0;
  for (const auto &point : points)
    heaviest = std::max (heaviest, point.weight);
  auto sorted = points;
  std::erase_if (sorted, [&] (const Point &point) { return point.weight < least_weight * heaviest; });
  std::ranges::sort (sorted, {}, &Point::at);
  if (sorted.size () < fewest || independent (sorted) < fewest_apart)
    return {};
  const double first = middle_slope (sorted);
  auto rest = sorted;
  for (auto &point : rest)
    point.value -= first * point.at;
  const double base = median_of (rest);
  auto off = rest;
  for (auto &point : off)
    point.value = std::abs (point.value - base);
  const double bound = 3 * std::max (1.4826 * median_of (off), least_spread);
  std::vector<Point> near;
  for (const auto &point : sorted)
    if (std::abs (point.value - first * point.at - base) <= bound)
      near.push_back (point);
  // If groups of points agree within but not with each other, no line fits: all points then count for the error.
  if (independent (near) < std::max<double> (fewest_apart, 0.7 * independent (sorted)))
    near = sorted;
  const double groups = independent (near);
  double weights = 0, at = 0, value = 0;
  for (const auto &point : near) {
    weights += point.weight;
    at += point.weight * point.at;
    value += point.weight * point.value;
  }
  at /= weights;
  value /= weights;
  double square = 0, product = 0;
  for (const auto &point : near) {
    square += point.weight * (point.at - at) * (point.at - at);
    product += point.weight * (point.at - at) * (point.value - value);
  }
  const double slope = product / square;
  double left = 0;
  for (const auto &point : near) {
    const double d = point.value - value - slope * (point.at - at);
    left += point.weight * d * d;
  }
  const double variance = std::max (left / weights, least_spread * least_spread) * groups / (groups - 2);
  return Line{slope, std::sqrt (variance / groups / (square / weights))};
}

} // namespace sino::find_axis
