// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/coverage.hpp"
#include "base/angle.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "stream/geometry.hpp"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace sino {

namespace {

double median (std::vector<double> values)
{
  const auto middle = values.begin () + std::ssize (values) / 2;
  std::ranges::nth_element (values, middle, cancellable (std::less ()));
  return *middle;
}

} // namespace

bool DirectionGap::is_missing () const
{
  return width - usual >= std::max (2 * usual, radians (1));
}

Directions::Directions (std::span<const double> angles, double c) : order (angles.size ()), circle (c)
{
  std::vector<double> direction;
  for (const double angle : angles) {
    step_unless_cancelled ();
    direction.push_back (angle - circle * std::floor (angle / circle));
  }
  std::iota (order.begin (), order.end (), size_t{0});
  std::ranges::stable_sort (order, cancellable ([&] (size_t a, size_t b) { return direction[a] < direction[b]; }));
  for (const auto i : order)
    directions.push_back (direction[i]);
  check_cancelled ();
  for (size_t i = 0; i < order.size (); i++)
    gaps.push_back (i + 1 < order.size () ? directions[i + 1] - directions[i] : directions[0] + circle - directions[i]);
}

std::vector<double> Directions::wide_gaps () const
{
  std::vector<double> wide;
  for (const double gap : gaps)
    if (gap > 0.01 * circle / static_cast<double> (size ()))
      wide.push_back (gap);
  return wide;
}

double Directions::usual_gap () const
{
  return median (wide_gaps ());
}

std::vector<double> Directions::spacing () const
{
  std::vector<double> share (size ());
  for (size_t i = 0; i < size (); i++) {
    share[order[i]] += gaps[i] / 2;
    share[order[(i + 1) % size ()]] += gaps[i] / 2;
  }
  return share;
}

std::vector<double> Directions::shares () const
{
  const auto n = size ();
  const double mean = circle / static_cast<double> (n);
  // Projections of one direction form a group; `last` has the last projection of each group.
  std::vector<size_t> last;
  for (size_t i = 0; i < n; i++)
    if (gaps[i] > 0.01 * mean)
      last.push_back (i);
  std::vector<double> share (n, mean);
  if (last.size () < 3)
    return share;
  std::vector<double> after;
  for (const auto i : last)
    after.push_back (gaps[i]);
  const double usual = median (after);
  for (auto &gap : after)
    if (DirectionGap{0, gap, usual}.is_missing ())
      gap = usual;
  const double scale = circle / std::accumulate (after.begin (), after.end (), 0.0);
  bool even = true;
  for (size_t k = 0; k < last.size (); k++) {
    const auto before = (k + last.size () - 1) % last.size ();
    const auto members = (last[k] + n - last[before] - 1) % n + 1;
    const double each = scale * (after[before] + after[k]) / 2 / static_cast<double> (members);
    even = even && std::abs (each - mean) < 0.01 * mean;
    for (size_t m = 0; m < members; m++)
      share[order[(last[k] + n - m) % n]] = each;
  }
  if (even)
    std::ranges::fill (share, mean);
  return share;
}

DirectionGap Directions::widest_gap () const
{
  const auto widest = std::ranges::max_element (gaps) - gaps.begin ();
  return {directions[static_cast<size_t> (widest)], gaps[static_cast<size_t> (widest)], usual_gap ()};
}

std::vector<DirectionGap> Directions::missing_gaps () const
{
  const double usual = usual_gap ();
  std::vector<DirectionGap> missing;
  for (size_t i = 0; i < size (); i++)
    if (const DirectionGap gap{directions[i], gaps[i], usual}; gap.is_missing ())
      missing.push_back (gap);
  return missing;
}

void check_angles_differ (const Format &scan)
{
  const auto &angles = scan.geometry->angles;
  if (angles.size () < 2 || std::ranges::min (angles) != std::ranges::max (angles))
    return;
  fail (
      SINO_ERROR_BAD_FORMAT,
      "all %zu projections have the same angle, %.6g degrees: give %s angles=start:stop, or angles=FILE with one angle "
      "per projection",
      angles.size (), degrees (angles[0]), scan.source.empty () ? "the source" : in_quotes (scan.source).c_str ());
}

double Directions::share_seen_twice () const
{
  const auto n = size ();
  if (n < 3)
    return 0;
  const double near = 0.75 * std::max (usual_gap (), circle / 2 / static_cast<double> (n));
  size_t seen = 0;
  for (const double direction : directions) {
    step_unless_cancelled ();
    const double other = std::fmod (direction + circle / 2, circle);
    const auto next = std::ranges::lower_bound (directions, other);
    const double above = next == directions.end () ? directions.front () + circle - other : *next - other;
    const double below = next == directions.begin () ? other + circle - directions.back () : other - *std::prev (next);
    seen += std::min (above, below) <= near;
  }
  return seen > 2 ? static_cast<double> (seen) / static_cast<double> (n)
                  : 0; // in a scan of half a turn, only the first and the last projection are opposite
}

} // namespace sino
