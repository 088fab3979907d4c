// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/remove-stripes/mirrored.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <bit>
#include <cmath>

namespace sino::remove_stripes {

namespace {

// Correlations: circles around the axis give 0.96 and more, stripes of the detector at most 0.4, details beside the
// axis 0.75.
constexpr double least_alike = 0.85;
constexpr double least_strength = 0.1; // as a share of the largest value: threshold for a stripe
// number of pairs of columns: two stripes alone are always symmetric about their middle
constexpr int64_t least_pairs = 6;
constexpr double nearest_share = 0.01; // as a share of all columns: nearer to the axis, both sides are one stripe

} // namespace

std::optional<Mirror> find_mirror (std::span<const double> taken)
{
  const auto n = std::ssize (taken);
  double largest = 0;
  for (const auto value : taken)
    largest = std::max (largest, std::abs (value));
  if (!(largest > 0) || !std::isfinite (largest))
    return {};
  const auto at = [&] (int64_t column) { return taken[static_cast<size_t> (column)]; };
  const auto is_stripe = [&] (double value) { return std::abs (value) > least_strength * largest; };
  const auto apart = static_cast<int64_t> (std::ceil (nearest_share * static_cast<double> (n))) + 2;
  std::optional<Mirror> best;
  for (auto both = n / 2; both <= 2 * (n - 1) - n / 2; both++) { // sum of a column's index and its mirror's
    const auto end = (both - apart) / 2;
    double product = 0, squares = 0, most = 0;
    int64_t pairs = 0, where = 0;
    for (auto left = std::max<int64_t> (both - n + 1, 0); left <= end; left++) {
      const auto a = at (left), b = at (both - left);
      product += a * b;
      squares += a * a + b * b;
      if (is_stripe (a) && is_stripe (b) && a * b > 0) {
        pairs++;
        if (a * b > most)
          most = a * b, where = left;
      }
    }
    const auto alike = squares > 0 ? 2 * product / squares : 0;
    if (pairs >= least_pairs && alike > least_alike && (!best || alike > best->alike))
      best = {.axis = 0.5 * static_cast<double> (both + 1), .alike = alike, .first = where, .second = both - where};
  }
  return best;
}

std::string Mirrored::add (std::span<const double> taken)
{
  const std::lock_guard lock (mutex);
  sum.resize (taken.size ());
  for (size_t i = 0; i < sum.size (); i++)
    sum[i] += std::isfinite (taken[i]) ? taken[i] : 0;
  if (told || !std::has_single_bit (static_cast<uint64_t> (++rows))) // at each power of two
    return {};
  const auto mirror = find_mirror (sum);
  if (!mirror)
    return {};
  told = true;
  return text (
      "the removed stripes are symmetric about column %.1f (correlation %.2f), and strongest in columns "
      "%" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
      ": if the axis is there, circles of the object around it lose contrast; compare with a run without this node",
      mirror->axis, mirror->alike, mirror->first, mirror->second);
}

} // namespace sino::remove_stripes
