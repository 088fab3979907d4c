// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/levels.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino::flat_field {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN ();
// Darks and flats count as equally bright if they differ by less than this many times the usual difference between
// frames of a kind, or by less than this share of the whole range between darks and flats.
constexpr double times_of_spread = 8, share_of_all = 0.1;

using Brightness = std::vector<double>;

void put_in_order (Brightness &list)
{
  std::erase_if (list, [] (double value) { return std::isnan (value); });
  std::ranges::sort (list);
}

double lower_median (const Brightness &rising)
{
  return rising[(rising.size () - 1) / 2];
}

double upper_median (const Brightness &rising)
{
  return rising[rising.size () / 2];
}

double spread (const Brightness &rising, double middle)
{
  Brightness away;
  for (const auto value : rising)
    away.push_back (std::abs (value - middle));
  std::ranges::sort (away);
  return lower_median (away);
}

} // namespace

// If the frames of a kind form two groups, the group farther from the other kind is right.
Levels levels_of (Brightness darks, Brightness flats)
{
  put_in_order (darks);
  put_in_order (flats);
  const auto dark = darks.empty () ? 0 : lower_median (darks);
  if (flats.empty ())
    return {dark, unknown, unknown};
  const auto flat = upper_median (flats);
  if (darks.empty ())
    return {dark, flat, flat};
  // The extreme one of many frames is ignored: its shutter or the camera may have failed.
  const auto least = darks[darks.size () > 2], greatest = flats[flats.size () - (flats.size () > 2 ? 2 : 1)];
  const auto noise = darks.size () > 2 ? spread (darks, dark) : spread (flats, flat);
  const auto near = std::max (times_of_spread * noise, share_of_all * (greatest - least));
  if (flat - dark > near)
    return {dark, flat, flat - dark};
  // Most darks have light, or most flats have none: the right frames differ from these.
  Brightness below, above;
  std::ranges::copy_if (darks, std::back_inserter (below), [&] (double value) { return value < dark - near; });
  std::ranges::copy_if (flats, std::back_inserter (above), [&] (double value) { return value > flat + near; });
  const auto right_dark = below.size () > 1 ? lower_median (below) : dark,
             right_flat = above.size () > 1 ? upper_median (above) : flat;
  const auto way = right_flat - right_dark;
  return {right_dark, right_flat, way > near ? way : unknown};
}

} // namespace sino::flat_field
