// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/turn.hpp"
#include "base/text.hpp"
#include <cmath>
#include <numbers>

namespace sino::find_axis {

namespace {

using std::numbers::pi;
constexpr double same = 0.05; // share of a step within which two angles are equal

struct TurnedProjection {
  double angle; // counted from the first projection
  int64_t projection;
};

// Projections in order of angle, beginning after the widest gap, so that the last one is as far as possible from the
// first.
std::vector<TurnedProjection> places_of (std::span<const double> angles)
{
  std::vector<TurnedProjection> places;
  for (size_t i = 0; i < angles.size (); i++) {
    const double turned = std::fmod (angles[i], 2 * pi);
    places.push_back ({turned < 0 ? turned + 2 * pi : turned, static_cast<int64_t> (i)});
  }
  std::ranges::stable_sort (places, {}, &TurnedProjection::angle);
  size_t first = 0;
  double widest = places.front ().angle + 2 * pi - places.back ().angle;
  for (size_t i = 1; i < places.size (); i++)
    if (const double gap = places[i].angle - places[i - 1].angle; gap > widest + 1e-9) {
      widest = gap;
      first = i;
    }
  std::ranges::rotate (places, places.begin () + static_cast<ptrdiff_t> (first));
  const double begin = places.front ().angle;
  for (auto &place : places)
    place.angle = std::fmod (place.angle - begin + 2 * pi, 2 * pi);
  // Keeps the first of several projections at one angle.
  const double step = 2 * pi / static_cast<double> (places.size ());
  const auto twice = std::ranges::unique (places, [step] (const TurnedProjection &a, const TurnedProjection &b) {
    return b.angle - a.angle < 1e-3 * step;
  });
  places.erase (twice.begin (), twice.end ());
  return places;
}

} // namespace

std::string make_turn (std::span<const double> angles, Turn &turn)
{
  constexpr size_t fewest = 8;
  turn = {};
  if (angles.size () < fewest)
    return text ("there are fewer than %zu projections", fewest);
  auto places = places_of (angles);
  const auto within =
      std::ranges::count_if (places, [] (const TurnedProjection &p) { return p.angle < pi * (1 - 1e-6); });
  if (within < static_cast<ptrdiff_t> (fewest))
    return text ("there are fewer than %zu directions in half a turn", fewest);
  const double step = places[static_cast<size_t> (within) - 1].angle / static_cast<double> (within - 1);
  const double span = places.back ().angle;
  if (span < pi - 1.55 * step) {
    turn.arc = span;
    return text ("the projections cover %.4g degrees, and half a turn is needed", span * 180 / pi);
  }
  double widest = 0;
  for (size_t i = 1; i < places.size (); i++)
    widest = std::max (widest, places[i].angle - places[i - 1].angle);
  if (widest > 4.5 * step)
    return text ("there is a gap of %.4g degrees between projections", widest * 180 / pi);
  turn.half = std::max<int64_t> (std::llround (pi / step), 2);
  const bool closed = span > 2 * pi - 1.55 * step;
  if (closed)
    places.push_back ({2 * pi, places.front ().projection});
  size_t next = 1;
  for (int64_t k = 0; k < 2 * turn.half; k++) {
    const double at = pi * static_cast<double> (k) / static_cast<double> (turn.half);
    if (k >= turn.half && at > places.back ().angle + same * step)
      break;
    while (next + 1 < places.size () && places[next].angle < at)
      next++;
    const auto &before = places[next - 1], &after = places[next];
    const double share = std::clamp ((at - before.angle) / (after.angle - before.angle), 0.0, 1.0);
    turn.rows.push_back ({before.projection, after.projection,
                          static_cast<float> (share < same       ? 0
                                              : share > 1 - same ? 1
                                                                 : share)});
  }
  return {};
}

} // namespace sino::find_axis
