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
#include <numbers>
#include <numeric>

namespace sino {

namespace {

double median (std::vector<double> values)
{
  const auto middle = values.begin () + std::ssize (values) / 2;
  std::ranges::nth_element (values, middle, cancellable (std::less ()));
  return *middle;
}

// Projections in the order of their directions, and the gap from each to the next.
struct Round {
  std::vector<size_t> order;
  std::vector<double> directions, gaps; // in that order
  const double circle;

  Round (std::span<const double> angles, double c) : order (angles.size ()), circle (c)
  {
    std::vector<double> direction;
    for (const double angle : angles) {
      step_unless_cancelled ();
      direction.push_back (angle - circle * std::floor (angle / circle));
    }
    std::iota (order.begin (), order.end (), size_t{0});
    std::stable_sort (order.begin (), order.end (),
                      cancellable ([&] (size_t a, size_t b) { return direction[a] < direction[b]; }));
    for (const auto i : order)
      directions.push_back (direction[i]);
    check_cancelled ();
    for (size_t i = 0; i < order.size (); i++)
      gaps.push_back (i + 1 < order.size () ? directions[i + 1] - directions[i]
                                            : directions[0] + circle - directions[i]);
  }

  size_t size () const { return order.size (); }

  // Gaps between different directions.
  std::vector<double> wide_gaps () const
  {
    std::vector<double> wide;
    for (const double gap : gaps)
      if (gap > 0.01 * circle / static_cast<double> (size ()))
        wide.push_back (gap);
    return wide;
  }

  double usual_gap () const { return median (wide_gaps ()); }
};

} // namespace

bool DirectionGap::is_missing () const
{
  return width - usual >= std::max (2 * usual, radians (1));
}

size_t count_directions (std::span<const double> angles, double circle)
{
  return Round (angles, circle).wide_gaps ().size ();
}

std::vector<double> spacing_of_directions (std::span<const double> angles, double circle)
{
  const Round round (angles, circle);
  std::vector<double> share (round.size ());
  for (size_t i = 0; i < round.size (); i++) {
    share[round.order[i]] += round.gaps[i] / 2;
    share[round.order[(i + 1) % round.size ()]] += round.gaps[i] / 2;
  }
  return share;
}

std::vector<double> shares_of_directions (std::span<const double> angles, double circle)
{
  const Round round (angles, circle);
  const auto n = round.size ();
  const double mean = circle / static_cast<double> (n);
  // Directions that were measured several times, as groups of projections: the last of each, and the gap after it.
  std::vector<size_t> last;
  for (size_t i = 0; i < n; i++)
    if (round.gaps[i] > 0.01 * mean)
      last.push_back (i);
  std::vector<double> share (n, mean);
  if (last.size () < 3)
    return share;
  std::vector<double> gaps;
  for (const auto i : last)
    gaps.push_back (round.gaps[i]);
  const double usual = median (gaps);
  for (auto &gap : gaps)
    if (DirectionGap{0, gap, usual}.is_missing ())
      gap = usual;
  const double scale = circle / std::accumulate (gaps.begin (), gaps.end (), 0.0);
  bool even = true;
  for (size_t k = 0; k < last.size (); k++) {
    const auto before = (k + last.size () - 1) % last.size ();
    const auto members = (last[k] + n - last[before] - 1) % n + 1;
    const double each = scale * (gaps[before] + gaps[k]) / 2 / static_cast<double> (members);
    even = even && std::abs (each - mean) < 0.01 * mean;
    for (size_t m = 0; m < members; m++)
      share[round.order[(last[k] + n - m) % n]] = each;
  }
  if (even)
    std::ranges::fill (share, mean);
  return share;
}

DirectionGap widest_gap (std::span<const double> angles, double circle)
{
  const Round round (angles, circle);
  const auto widest = std::ranges::max_element (round.gaps) - round.gaps.begin ();
  return {round.directions[static_cast<size_t> (widest)], round.gaps[static_cast<size_t> (widest)], round.usual_gap ()};
}

std::vector<DirectionGap> missing_gaps (std::span<const double> angles, double circle)
{
  const Round round (angles, circle);
  const double usual = round.usual_gap ();
  std::vector<DirectionGap> missing;
  for (size_t i = 0; i < round.size (); i++)
    if (const DirectionGap gap{round.directions[i], round.gaps[i], usual}; gap.is_missing ())
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

double share_seen_twice (std::span<const double> angles)
{
  constexpr double turn = 2 * std::numbers::pi;
  const Round round (angles, turn);
  const auto n = round.size ();
  if (n < 3)
    return 0;
  const double near = 0.75 * std::max (round.usual_gap (), turn / 2 / static_cast<double> (n));
  size_t seen = 0;
  for (const double direction : round.directions) {
    const double other = std::fmod (direction + turn / 2, turn);
    const auto next = std::ranges::lower_bound (round.directions, other);
    const double above = next == round.directions.end () ? round.directions.front () + turn - other : *next - other;
    const double below =
        next == round.directions.begin () ? other + turn - round.directions.back () : other - *std::prev (next);
    seen += std::min (above, below) <= near;
  }
  return seen > 2 ? static_cast<double> (seen) / static_cast<double> (n) : 0; // the ends of half a turn meet
}

} // namespace sino
