// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/seeking.hpp"
#include "base/error.hpp"
#include "filters/find-axis/search.hpp"
#include <cmath>
#include <numbers>

namespace sino::live {

static constexpr int64_t most_rows = 8, parts = 24; // of the first turn, after each of which it may be sought

// Rows away from the upper and lower border of the detector, where the object is seen least.
static std::vector<int64_t> rows_of (int64_t height)
{
  std::vector<int64_t> rows;
  const auto number = std::min (most_rows, height);
  for (int64_t i = 0; i < number; i++) {
    const double share = number == height ? (static_cast<double> (i) + 0.5) / static_cast<double> (number)
                                          : 0.1 + 0.8 * (static_cast<double> (i) + 0.5) / static_cast<double> (number);
    rows.push_back (static_cast<int64_t> (share * static_cast<double> (height)));
  }
  return rows;
}

static std::vector<double> first_turn (const std::vector<double> &angles)
{
  constexpr double turn = 2 * std::numbers::pi * (1 - 1e-9);
  std::vector<double> some;
  for (const double angle : angles) {
    if (std::abs (angle - angles.front ()) >= turn)
      break;
    some.push_back (angle);
  }
  return some;
}

Seeking::Seeking (const Format &in, bool a)
    : applies (a), angles (first_turn (in.geometry->angles)), rows (rows_of (in.rows ())), columns (in.line ()),
      height (in.rows ()), whole (std::ssize (angles) == in.angles ())
{
  if (in.geometry->axis.size () > 1)
    fail (SINO_ERROR_BAD_FORMAT, "find-axis wants one axis, and the scan gives one for each projection: leave it out");
  const auto all = std::ssize (angles);
  std::string why;
  bool mirrors = false;
  for (int64_t part = 1; part <= parts; part++) {
    const auto some = divide_up (all * part, parts);
    find_axis::Search search;
    why = find_axis::prepare (search, {angles.data (), static_cast<size_t> (some)}, columns, find_axis::Way::automatic);
    if (!why.empty () || (!moments.empty () && moments.back () == some))
      continue;
    if (!search.methods.empty () && some < all && !mirrors)
      moments.clear (); // before half a turn, slices have to be compared, which takes long
    moments.push_back (some);
    mirrors = mirrors || !search.turn.rows.empty ();
  }
  if (!why.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "find-axis cannot find an axis, because %s: give axis=", why.c_str ());
}

void Seeking::memory (int threads, Bill &bill) const
{
  if (!on ())
    return;
  const auto row = static_cast<size_t> (columns) * sizeof (float);
  add_pages (bill, kept_item, rows.size () * angles.size () * row);
  add_pages (bill, sinogram_item, angles.size () * row);
  size_t pages = 0, most = 0;
  for (const auto moment : moments) {
    find_axis::Search search;
    find_axis::prepare (search, {angles.data (), static_cast<size_t> (moment)}, columns, find_axis::Way::automatic);
    Bill own;
    if (!search.methods.empty ()) {
      pages = std::max (pages, find_axis::Mirrors::pages (search.turn, columns));
      find_axis::Mirrors::memory (search.turn, columns, threads, 1, own);
    }
    most = std::max (most, total (own) + (search.focus ? search.focus->bytes (threads) : 0));
  }
  add_pages (bill, binned_item, pages);
  add_bytes (bill, "search for the axis", most);
}

} // namespace sino::live
