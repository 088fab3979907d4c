// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/align-projections/tally.hpp"

namespace sino::align_projections {

std::optional<Registered> Tally::known (int64_t angle) const
{
  const std::lock_guard guard (mutex);
  return all[static_cast<size_t> (angle)];
}

void Tally::add (int64_t angle, const Registered &found)
{
  const std::lock_guard guard (mutex);
  all[static_cast<size_t> (angle)] = found;
}

bool Tally::closed () const
{
  const std::lock_guard guard (mutex);
  return is_closed;
}

void Tally::close (const Closing &pair, const Displacement &error)
{
  const std::lock_guard guard (mutex);
  is_closed = true;
  if (!error.columns.sure || !error.rows.sure)
    return;
  closing = pair.words (error);
  closes = std::max (std::abs (error.columns.shift), std::abs (error.rows.shift)) <= most_closing;
}

// The displacements along an axis: "-1.50 to 1.48 columns (0.87 rms)"; "": none is known.
std::string Tally::range (const char *unit, Found Displacement::*axis) const
{
  double least = HUGE_VAL, most = -HUGE_VAL, squares = 0;
  int64_t count = 0;
  for (const auto &found : all)
    if (found && (found->displacement.*axis).sure) {
      const double shift = (found->displacement.*axis).shift;
      least = std::min (least, shift);
      most = std::max (most, shift);
      squares += shift * shift;
      count++;
    }
  return count == 0 ? ""
                    : text ("%.2f to %.2f %s (%.2f rms)", least, most, unit,
                            std::sqrt (squares / static_cast<double> (count)));
}

void Tally::warn (const char *axis, int64_t unsure, int64_t projections) const
{
  if (unsure > 0)
    messages.add (text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                        " projections show too little to be aligned along %s, or are displaced by more than most=: %s",
                        unsure, projections, axis,
                        is_smoothed ? "they follow their neighbours" : "they stay where they are"));
}

void Tally::tell () const
{
  int64_t projections = 0, outside = 0, no_columns = 0, no_rows = 0;
  for (const auto &found : all)
    if (found) {
      projections++;
      outside += !found->in_view;
      no_columns += !found->displacement.columns.sure;
      no_rows += !found->displacement.rows.sure;
    }
  auto ranges = along == Along::rows ? "" : range ("columns", &Displacement::columns);
  if (const auto down = along == Along::columns ? "" : range ("rows", &Displacement::rows); !down.empty ())
    ranges += (ranges.empty () ? "" : " and ") + down;
  if (!ranges.empty ())
    messages.add ("projections were displaced by " + ranges + ", and are moved back", Messages::Level::info);
  if (!closing.empty ())
    messages.add (closing, closes ? Messages::Level::info : Messages::Level::warning);
  if (outside > 0 && along != Along::rows)
    messages.add (text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                        " projections do not see the whole object between the left and the right border: there details "
                        "are compared, which show jitter but only a part of a slow drift along columns",
                        outside, projections));
  warn ("columns", no_columns, projections);
  warn ("rows", no_rows, projections);
}

} // namespace sino::align_projections
