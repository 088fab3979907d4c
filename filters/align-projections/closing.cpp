// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/align-projections/closing.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <numbers>

namespace sino::align_projections {

namespace {

constexpr double near = 0.25; // share of the step between projections that counts as the same angle

// Median of the steps, whatever the order in which angles were taken.
double step_of (std::vector<double> angles)
{
  std::ranges::sort (angles);
  for (size_t i = angles.size () - 1; i > 0; i--)
    angles[i] -= angles[i - 1];
  const auto middle = angles.begin () + std::ssize (angles) / 2;
  std::nth_element (angles.begin () + 1, middle, angles.end ());
  return *middle;
}

// The last projection that is `turn`, and any number of whole turns, away from the first; -1: none.
int64_t find (const std::vector<double> &angles, double turn)
{
  const double most = near * step_of (angles);
  for (auto i = std::ssize (angles) - 1; i > 0; i--)
    if (std::abs (std::remainder (angles[static_cast<size_t> (i)] - angles[0] - turn, 2 * std::numbers::pi)) <= most)
      return i;
  return -1;
}

// Whether source and detector are at the same height and distance: not so along a helix.
bool alike (const View &a, const View &b)
{
  const double size = length (a.column) + length (a.row);
  return a.parallel == b.parallel && std::abs (a.source.z - b.source.z) < 0.1 * size &&
         std::abs (a.corner.z - b.corner.z) < 0.1 * size && std::abs (length (a.source) - length (b.source)) < size &&
         std::abs (length (a.corner) - length (b.corner)) < size;
}

} // namespace

std::optional<Closing> closing_of (const Format &scan)
{
  if (!scan.geometry || scan.geometry->angles.size () < 3)
    return {};
  const auto &[angles, axis, views, pixel, in_mm, energy, distance, rows_apart] = *scan.geometry;
  if (const auto last = find (angles, 0); last > 0) {
    if (!views.empty () && !alike (views.front (), views[static_cast<size_t> (last)]))
      return {};
    return Closing{last, false, 0};
  }
  if (const auto last = find (angles, std::numbers::pi); last > 0 && views.empty () && !axis.empty ()) {
    const auto place = axis.size () == 1 ? 2 * axis[0] : axis[0] + axis[static_cast<size_t> (last)];
    return Closing{last, true, static_cast<double> (scan.line ()) - place};
  }
  return {};
}

// Columns of the mirrored projection run backwards, and so does its displacement.
Displacement Closing::error (Displacement found) const
{
  if (mirrored)
    found.columns.shift = columns_away - found.columns.shift;
  return found;
}

std::string Closing::words (const Displacement &error) const
{
  const auto said =
      text ("closing error: projection %" G_GINT64_FORMAT
            ", %s the first one, sees the object %+.2f columns and %+.2f rows away from where that sees it",
            last, mirrored ? "half a turn from" : "at the angle of", error.columns.shift, error.rows.shift);
  return mirrored ? said + text ("; or the axis is off by %+.2f columns", error.columns.shift / 2) : said;
}

} // namespace sino::align_projections
