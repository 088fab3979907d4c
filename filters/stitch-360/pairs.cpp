// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/stitch-360/pairs.hpp"
#include "base/angle.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::stitch_360 {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double tolerance = 0.05;  // as a share of a step: angles that differ by less are equal
constexpr double widest_step = 4.5; // steps: a wider one means a missing projection

double turned (double angle)
{
  const double rest = std::fmod (angle, 2 * pi);
  return rest < 0 ? rest + 2 * pi : rest;
}

struct TurnedProjection {
  double angle;
  int64_t projection;
};

double widest_gap (const std::vector<TurnedProjection> &places)
{
  double widest = places.front ().angle + 2 * pi - places.back ().angle;
  for (size_t i = 1; i < places.size (); i++)
    widest = std::max (widest, places[i].angle - places[i - 1].angle);
  return widest;
}

} // namespace

std::string make_pairs (std::span<const double> angles, std::vector<Pair> &pairs)
{
  pairs.clear ();
  auto count = angles.size ();
  // A scan that includes both ends of the turn has one angle twice.
  if (count > 2 && count % 2 != 0 &&
      std::abs (std::abs (angles[count - 1] - angles[0]) - 2 * pi) < tolerance * 2 * pi / static_cast<double> (count))
    count--;
  std::vector<TurnedProjection> places;
  for (size_t i = 0; i < count; i++)
    places.push_back ({turned (angles[i]), static_cast<int64_t> (i)});
  std::ranges::stable_sort (places, {}, &TurnedProjection::angle);
  const double step = 2 * pi / static_cast<double> (count);
  if (const double gap = widest_gap (places); gap > widest_step * step)
    return text ("the projections cover %.4g degrees, and a whole turn is needed: correct angles= of the source if "
                 "they are wrong; reconstruct half a turn without this node",
                 degrees (2 * pi - gap));
  const auto all_alone = [&] {
    pairs.clear ();
    for (size_t i = 0; i < count; i++)
      pairs.push_back ({static_cast<int64_t> (i), -1});
    return std::string ();
  };
  if (count % 2 != 0)
    return all_alone ();

  const double reach = tolerance * step;
  std::vector<bool> paired (count);
  // The first unpaired projection at an angle.
  const auto find = [&] (double angle) {
    const auto from =
        std::ranges::lower_bound (places, turned (angle - reach), {}, &TurnedProjection::angle) - places.begin ();
    int64_t found = -1;
    for (size_t i = 0; i < count; i++) {
      const auto &place = places[(static_cast<size_t> (from) + i) % count];
      if (std::abs (std::remainder (place.angle - angle, 2 * pi)) > reach)
        break;
      if (!paired[static_cast<size_t> (place.projection)] && (found < 0 || place.projection < found))
        found = place.projection;
    }
    return found;
  };
  for (size_t i = 0; i < count; i++) {
    if (paired[i])
      continue;
    const auto other = find (angles[i] + pi);
    if (other < 0)
      return all_alone ();
    paired[i] = paired[static_cast<size_t> (other)] = true;
    pairs.push_back ({static_cast<int64_t> (i), other});
  }
  return {};
}

} // namespace sino::stitch_360
