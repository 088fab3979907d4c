// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/align-projections/profile.hpp"
#include "filters/align-projections/fit.hpp"
#include <algorithm>
#include <numeric>

namespace sino::align_projections {

namespace {

constexpr double most_border = 0.15; // values at an end that count as zero, as a share of the mean
constexpr int64_t end = 2;           // values at either end that are left out
constexpr int most_matches = 20;
// What a displacement of whole pixels must leave of the squares that are left without one, to begin there.
constexpr double clear = 0.5;

double mean (std::span<const double> values)
{
  return std::accumulate (values.begin (), values.end (), 0.0) / static_cast<double> (values.size ());
}

// Standard deviation of the noise, by second differences; a few of them are edges.
double noise_of (std::span<const double> values)
{
  std::vector<double> bends;
  for (size_t i = 1; i + 1 < values.size (); i++)
    bends.push_back (std::abs (values[i - 1] - 2 * values[i] + values[i + 1]));
  const auto middle = bends.begin () + std::ssize (bends) / 2;
  std::nth_element (bends.begin (), middle, bends.end ());
  return *middle / (0.6745 * std::sqrt (6.0));
}

struct Centre {
  double place = 0;
  bool in_view = false; // and more than noise
};

// A background is not subtracted: what all projections share is in the computed ones, too.
Centre centre_of (std::span<const double> values)
{
  const auto wide = std::min (std::max<size_t> (values.size () / 64, 3), values.size () / 4);
  const double all = mean (values), first = mean (values.first (wide)), last = mean (values.last (wide));
  double mass = 0, moment = 0;
  for (size_t i = 0; i < values.size (); i++) {
    mass += values[i];
    moment += values[i] * static_cast<double> (i);
  }
  if (!(std::max (std::abs (first), std::abs (last)) < most_border * all && mass > 0))
    return {};
  const double place = moment / mass;
  double squares = 0;
  for (size_t i = 0; i < values.size (); i++)
    squares += (static_cast<double> (i) - place) * (static_cast<double> (i) - place);
  return {place, noise_of (values) * std::sqrt (squares) < most_error * mass};
}

// Adds the equations of all values that have a partner at this displacement.
Fit<3> equations (std::span<const double> measured, std::span<const double> computed, double shift)
{
  const auto n = static_cast<int64_t> (measured.size ()),
             away = end + static_cast<int64_t> (std::ceil (std::abs (shift)));
  const auto whole = static_cast<int64_t> (std::floor (-shift));
  const double behind = -shift - static_cast<double> (whole);
  const auto value = [&] (int64_t i) { return computed[static_cast<size_t> (i)]; };
  const auto slope = [&] (int64_t i) { return (value (i + 1) - value (i - 1)) / 2; };
  Fit<3> fit;
  for (auto i = away; i < n - away; i++) {
    const auto at = i + whole;
    fit.add (
        {-(1 - behind) * slope (at) - behind * slope (at + 1), (1 - behind) * value (at) + behind * value (at + 1), 1},
        measured[static_cast<size_t> (i)]);
  }
  return fit;
}

// The displacement of whole pixels at which the profiles are most alike.
double nearest (std::span<const double> measured, std::span<const double> computed, double most)
{
  const auto n = static_cast<int64_t> (measured.size ());
  const auto far = std::min (static_cast<int64_t> (most), n / 4);
  // The share of the variance that a gain and an offset leave.
  const auto left = [&] (int64_t shift) {
    const auto first = std::max<int64_t> (shift, 0), last = std::min (n, n + shift);
    double m = 0, c = 0, mm = 0, cc = 0, mc = 0;
    for (auto i = first; i < last; i++) {
      const double a = measured[static_cast<size_t> (i)], b = computed[static_cast<size_t> (i - shift)];
      m += a, c += b, mm += a * a, cc += b * b, mc += a * b;
    }
    const auto count = static_cast<double> (last - first);
    mm -= m * m / count, cc -= c * c / count, mc -= m * c / count;
    return mc > 0 && mm > 0 && cc > 0 ? 1 - mc * mc / (mm * cc) : 1;
  };
  const double none = left (0);
  double least = clear * none;
  int64_t best = 0;
  for (auto shift = -far; shift <= far; shift++)
    if (const double now = left (shift); now < least) {
      least = now;
      best = shift;
    }
  return static_cast<double> (best);
}

} // namespace

void add_up (const float *measured, const float *computed, Size size, int64_t edge, Profiles &of_measured,
             Profiles &of_computed)
{
  for (int64_t row = 0, i = 0; row < size.rows; row++) {
    double m = 0, c = 0;
    const double weight = row >= edge && row < size.rows - edge ? 1 : 0;
    for (size_t column = 0; column < static_cast<size_t> (size.columns); column++, i++) {
      const Values values (measured[i], computed[i]);
      m += values.measured;
      c += values.computed;
      of_measured.columns[column] += weight * values.measured;
      of_computed.columns[column] += weight * values.computed;
    }
    of_measured.rows[static_cast<size_t> (row)] = m;
    of_computed.rows[static_cast<size_t> (row)] = c;
  }
}

std::optional<double> between_centres (std::span<const double> measured, std::span<const double> computed)
{
  if (std::ssize (measured) < least_values)
    return {};
  const auto m = centre_of (measured), c = centre_of (computed);
  if (!m.in_view || !c.in_view)
    return {};
  return m.place - c.place;
}

Found match (std::span<const double> measured, std::span<const double> computed, double most)
{
  if (std::ssize (measured) < least_values)
    return {};
  const auto quarter = static_cast<double> (measured.size ()) / 4;
  double shift = nearest (measured, computed, most), error = HUGE_VAL;
  for (int step = 0; step < most_matches; step++) {
    const auto solved = equations (measured, computed, shift).solve ();
    if (!solved || !(solved->unknowns[1] > least_gain))
      return {};
    const double more = std::clamp (solved->unknowns[0] / solved->unknowns[1], -1.0, 1.0);
    shift += more;
    error = solved->error / solved->unknowns[1];
    if (!(std::abs (shift) < quarter))
      return {};
    if (std::abs (more) < 1e-3)
      break;
  }
  return error < most_error ? Found{shift, true} : Found{};
}

} // namespace sino::align_projections
