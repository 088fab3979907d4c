// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/guesses.hpp"
#include "base/divide-up.hpp"
#include <array>
#include <cmath>
#include <numbers>

namespace sino::find_axis {

namespace {

using std::numbers::pi;
constexpr double fade = 0.3;         // share of the columns on each side of the axis over which the window falls to 0
constexpr double blur = 0.5;         // frequency in radians per column; a low-pass against noise
constexpr double highest = 3 * blur; // nothing is left above this frequency
constexpr int most_rounds = 16;

// Lags for extrapolation, in rows of the turn, if no two rows are half a turn apart.
constexpr std::array near_lags{1, 2};

double weight_of (double frequency)
{
  return frequency * std::exp (-(frequency / blur) * (frequency / blur));
}

// Match at position s, with its first two derivatives.
struct Curve {
  double value = 0, slope = 0, bend = 0;
};

Curve curve (const Level &level, const std::vector<std::complex<double>> &products, double s)
{
  Curve c;
  for (size_t k = 1; k < products.size (); k++) {
    const double w = level.radians (static_cast<int64_t> (k));
    const auto turned = products[k] * std::polar (1.0, -w * s);
    c.value += 2 * turned.real ();
    c.slope += 2 * w * turned.imag ();
    c.bend -= 2 * w * w * turned.real ();
  }
  return c;
}

// Standard deviation of s, from how much frequencies disagree. Neighbouring frequencies are correlated by the window,
// so they are grouped.
double uncertainty (const Level &level, const std::vector<std::complex<double>> &products, double s, double reach)
{
  const auto number = std::ssize (products);
  const auto together = std::max<int64_t> (std::llround (static_cast<double> (level.length) / reach), 1);
  double squares = 0;
  for (int64_t begin = 1; begin < number; begin += together) {
    double pull = 0;
    for (auto k = begin; k < std::min (begin + together, number); k++) {
      const double w = level.radians (k);
      pull += 2 * w * (products[static_cast<size_t> (k)] * std::polar (1.0, -w * s)).imag ();
    }
    squares += pull * pull;
  }
  const double bend = -curve (level, products, s).bend;
  return bend > 0 ? std::sqrt (squares) / bend : static_cast<double> (level.columns);
}

// The best position s between `least` and `most`.
double best_of (const Fft &fft, const Level &level, const std::vector<std::complex<double>> &products, double least,
                double most)
{
  const Lines lines (fft.length ());
  auto *from = lines.from.get (), *to = lines.to.get ();
  std::fill_n (from, fft.length (), Complex{});
  double largest = 0;
  for (const auto &product : products)
    largest = std::max (largest, std::abs (product));
  for (size_t k = 1; k < products.size (); k++)
    from[k] = Complex (products[k] / largest);
  fft.forward (from, to, lines.work.get ());
  int64_t best = -1;
  for (int64_t i = 0; i < fft.length (); i++)
    if (const double s = static_cast<double> (i) / Level::fine; s >= least && s <= most)
      if (best < 0 || to[i].real () > to[best].real ())
        best = i;
  double s = static_cast<double> (best) / Level::fine;
  for (int i = 0; i < 8; i++) {
    const auto c = curve (level, products, s);
    if (!(c.bend < 0))
      break;
    const double step = std::clamp (-c.slope / c.bend, -0.25, 0.25);
    s += step;
    if (std::abs (step) < 1e-5)
      break;
  }
  return std::clamp (s, least, most);
}

} // namespace

Level::Level (int64_t all, int64_t most)
    : bin (divide_up (all, most)), columns (all / bin), length (Fft::good_length (2 * columns)),
      frequencies (
          std::min<int64_t> (length / 2, static_cast<int64_t> (highest / (2 * pi) * static_cast<double> (length))) + 1)
{
}

double Level::radians (int64_t k) const
{
  return 2 * pi * static_cast<double> (k) / static_cast<double> (length);
}

double Guesses::best (const Sums &sums) const
{
  return best_of (finely, level, sums.products, 2 * least - 1, 2 * most - 1);
}

std::vector<float> Guesses::window (double axis, double reach) const
{
  std::vector<float> faded;
  for (int64_t c = 0; c < level.columns; c++) {
    const double in = (reach - std::abs (static_cast<double> (c) + 0.5 - axis)) / (fade * reach);
    faded.push_back (static_cast<float> (0.5 - 0.5 * std::cos (pi * std::clamp (in, 0.0, 1.0))));
  }
  return faded;
}

// Transforms two rows at a time, as real and imaginary part.
void Guesses::transform_pair (int64_t pair, const std::vector<float> &faded, const Lines &lines) const
{
  auto *from = lines.from.get (), *to = lines.to.get ();
  const auto *first = rows + 2 * pair * level.columns;
  const bool both = 2 * pair + 1 < number;
  const auto *second = both ? first + level.columns : first;
  for (int64_t c = 0; c < level.columns; c++) {
    const float w = faded[static_cast<size_t> (c)];
    from[c] = {w * first[c], w * second[c]};
  }
  along.forward (from, to, lines.work.get ());
  for (int64_t k = 0; k < level.frequencies; k++) {
    const auto a = to[k], b = std::conj (to[k == 0 ? 0 : level.length - k]);
    auto *place = spectra.get () + k * number + 2 * pair;
    place[0] = 0.5f * (a + b);
    if (both)
      place[1] = Complex (0, -0.5f) * (a - b);
  }
}

// Transforms all rows within a window around the axis. Returns the distance from the axis to the end of the window.
double Guesses::transform (double axis) const
{
  const double reach = std::min (axis, static_cast<double> (level.columns) - axis);
  const auto faded = window (axis, reach);
  cpu.parallel ((number + 1) / 2, 16, [&] (int64_t begin, int64_t end) {
    const Lines lines (level.length);
    std::fill_n (lines.from.get (), level.length, Complex{});
    for (int64_t pair = begin; pair < end; pair++)
      transform_pair (pair, faded, lines);
  });
  return reach;
}

template <class SumOf> Sums Guesses::sum_up (const SumOf &sum_of) const
{
  Sums sums{std::vector<std::complex<double>> (static_cast<size_t> (level.frequencies)), 0, 0};
  std::vector<Sum> each (static_cast<size_t> (level.frequencies));
  cpu.parallel (level.frequencies - 1, 4, [&] (int64_t begin, int64_t end) {
    const Lines lines (2 * half);
    for (int64_t k = begin + 1; k <= end; k++)
      each[static_cast<size_t> (k)] = sum_of (k, lines);
  });
  for (int64_t k = 1; k < level.frequencies; k++) {
    const double weight = weight_of (level.radians (k));
    const auto &sum = each[static_cast<size_t> (k)];
    sums.products[static_cast<size_t> (k)] = weight * sum.product;
    sums.energy += 2 * weight * sum.energy;
    sums.variance += 2 * weight * weight * sum.variance;
  }
  return sums;
}

Sums Guesses::wedge (double reach) const
{
  return sum_up ([&] (int64_t k, const Lines &lines) {
    Sum sum;
    auto *from = lines.from.get (), *to = lines.to.get ();
    std::copy_n (spectra.get () + k * number, half, from);
    std::fill_n (from + half, half, Complex{});
    around.forward (from, to, lines.work.get ());
    // Outside of the double wedge: harmonics of points up to this radius end here, except for a tail.
    const double x = reach * level.radians (k);
    for (auto v = static_cast<int64_t> (x + 3 * std::cbrt (x) + 2); v < half; v++)
      sum.compare (to[v], to[2 * half - v], v % 2 ? 1 : -1);
    return sum;
  });
}

// Compares rows t and t + half - lag.
Sums Guesses::opposites (int64_t lag) const
{
  return sum_up ([&] (int64_t k, const Lines &) {
    Sum sum;
    const auto *row = spectra.get () + k * number;
    for (int64_t t = 0; t + half - lag < number && t < half; t++)
      sum.compare (row[t], row[t + half - lag], 1);
    return sum;
  });
}

// Returns a guess where no rows are half a turn apart: compares rows that are one step and two steps less apart, and
// extrapolates both results linearly to half a turn.
std::optional<Guesses::Guess> Guesses::lead_on (double reach) const
{
  const auto second = opposites (near_lags[1]);
  auto sums = opposites (near_lags[0]);
  if (!(sums.energy > 0) || !(second.energy > 0) || !std::isfinite (sums.energy))
    return {};
  const double first = best (sums), other = best (second);
  const double doubt = std::hypot (2 * uncertainty (level, sums.products, first, reach),
                                   uncertainty (level, second.products, other, reach));
  return Guess{std::move (sums), 2 * first - other, doubt};
}

std::optional<Guesses::Guess> Guesses::guess (Method method, double reach) const
{
  if (method != Method::wedge && turn.opposites () == 0)
    return lead_on (reach);
  auto sums = method == Method::wedge ? wedge (reach) : opposites (0);
  if (!(sums.energy > 0) || !std::isfinite (sums.energy))
    return {};
  const double s = best (sums), doubt = uncertainty (level, sums.products, s, reach);
  return Guess{std::move (sums), s, doubt};
}

std::optional<Match> Guesses::improve (Method method, double start) const
{
  double axis = start;
  std::optional<Match> match;
  struct {
    double axis, off;
  } before{};
  for (int round = 0; round < most_rounds; round++) {
    const auto found = guess (method, transform (axis));
    if (!found)
      return {};
    const auto c = curve (level, found->sums.products, found->s);
    const double at = std::clamp (0.5 * found->s + 0.5, least, most);
    // The window moves the result from the true axis towards the estimate. Two results define a line; its fixed point
    // is the axis.
    const double off = at - axis;
    double next = at, gain = 1;
    if (round > 0)
      if (const double slope = (off - before.off) / (axis - before.axis); slope < -0.05) {
        next = axis - std::clamp (off / slope, -10 * std::abs (off), 10 * std::abs (off));
        gain = std::clamp (-1 / slope, 1.0, 10.0);
      }
    next = std::clamp (next, least, most);
    match = Match{.axis = next,
                  .coherence = c.value / found->sums.energy,
                  .certainty = c.value / std::sqrt (found->sums.variance),
                  .weight = -c.bend,
                  .error = 0.5 * gain * found->doubt};
    before = {axis, off};
    if (std::abs (next - axis) < 0.005)
      break;
    axis = next;
  }
  // An optimum at the end of the range is no match.
  if (match && (match->axis <= least || match->axis >= most))
    match->coherence = match->certainty = 0;
  return match;
}

} // namespace sino::find_axis
