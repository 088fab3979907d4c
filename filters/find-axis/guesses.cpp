// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/guesses.hpp"
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

// Calls f (k, w, product turned by exp (-i w s)) for each frequency w except 0.
template <class F>
void for_turned (const Level &level, const std::vector<std::complex<double>> &products, double s, const F &f)
{
  const auto step = std::polar (1.0, -level.radians (1) * s);
  const auto times = [] (const std::complex<double> &a, const std::complex<double> &b) { // without a check for NaN
    return std::complex (a.real () * b.real () - a.imag () * b.imag (), a.real () * b.imag () + a.imag () * b.real ());
  };
  auto turn = step;
  for (size_t k = 1; k < products.size (); k++) {
    f (static_cast<int64_t> (k), level.radians (static_cast<int64_t> (k)), times (products[k], turn));
    turn = times (turn, step);
  }
}

Curve curve (const Level &level, const std::vector<std::complex<double>> &products, double s)
{
  Curve c;
  for_turned (level, products, s, [&c] (int64_t, double w, const std::complex<double> &turned) {
    c.value += 2 * turned.real ();
    c.slope += 2 * w * turned.imag ();
    c.bend -= 2 * w * w * turned.real ();
  });
  return c;
}

// Standard deviation of s, from how much frequencies disagree. Neighbouring frequencies are correlated by the window,
// so they are grouped.
double uncertainty (const Level &level, const std::vector<std::complex<double>> &products, double s, double reach)
{
  const auto together = std::max<int64_t> (std::llround (static_cast<double> (level.length) / reach), 1);
  double squares = 0, pull = 0;
  for_turned (level, products, s, [&] (int64_t k, double w, const std::complex<double> &turned) {
    if (k % together == 1 % together) {
      squares += pull * pull;
      pull = 0;
    }
    pull += 2 * w * turned.imag ();
  });
  squares += pull * pull;
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

// The groups of rows that a method compares.
std::vector<int64_t> Guesses::groups (Method method) const
{
  const auto lag = turn.opposites () == 0 ? near_lags.back () : 0;
  const auto pairs = method == Method::wedge ? half : std::min (number - half + lag, half); // rows t that it compares
  const auto from = method == Method::wedge ? number : half - lag;                          // and those opposite
  std::vector<int64_t> list;
  for (int64_t g = 0; g < divide_up (number, lines_at_once); g++)
    if (g * lines_at_once < pairs || std::min ((g + 1) * lines_at_once, number) > from)
      list.push_back (g);
  return list;
}

// Transforms two rows at a time, as real and imaginary part. `all`: memory for the transforms.
void Guesses::transform_group (int64_t group, const std::vector<float> &faded, const Lines &lines, Complex *all) const
{
  const auto first = group * lines_at_once, end = std::min (first + lines_at_once, number);
  for (auto t = first; t < first + lines_at_once; t += 2) {
    auto *to = all + (t - first) / 2 * level.length;
    if (t >= end) {
      std::fill_n (to, level.length, Complex{});
      continue;
    }
    const auto *row = rows + t * level.columns;
    join_lines (row, t + 1 < end ? row + level.columns : row, means.empty () ? nullptr : means.data (), faded.data (),
                level.columns, lines.from.get ());
    along.forward (lines.from.get (), to, lines.work.get ());
  }
  separate (all, level.length, level.frequencies, spectra + first, stride);
}

// Transforms rows within a window around the axis. Returns the distance from the axis to the end of the window.
double Guesses::transform (double axis, const std::vector<int64_t> &groups) const
{
  const double reach = std::min (axis, static_cast<double> (level.columns) - axis);
  const auto faded = window (axis, reach);
  cpu.parallel (std::ssize (groups), 4, [&] (int64_t begin, int64_t end) {
    const Lines lines (level.length);
    const Aligned<Complex> all (static_cast<size_t> (group_values (level)));
    std::fill_n (lines.from.get (), level.length, Complex{});
    for (auto g = begin; g < end; g++)
      transform_group (groups[static_cast<size_t> (g)], faded, lines, all.get ());
  });
  return reach;
}

template <class SumOf> Sums Guesses::sum_up (const SumOf &sum_of) const
{
  Sums sums{std::vector<std::complex<double>> (static_cast<size_t> (level.frequencies)), 0, 0};
  std::vector<Compared> each (static_cast<size_t> (level.frequencies));
  cpu.parallel (level.frequencies - 1, 4, [&] (int64_t begin, int64_t end) { sum_of (begin + 1, end + 1, each); });
  for (int64_t k = 1; k < level.frequencies; k++) {
    const double weight = weight_of (level.radians (k));
    const auto &sum = each[static_cast<size_t> (k)];
    sums.products[static_cast<size_t> (k)] = {weight * sum.real, weight * sum.imaginary};
    sums.energy += 2 * weight * sum.energy;
    sums.variance += 2 * weight * weight * sum.variance;
  }
  return sums;
}

Sums Guesses::wedge (double reach) const
{
  return sum_up ([&] (int64_t begin, int64_t end, std::vector<Compared> &each) {
    const Lines lines (2 * half);
    auto *from = lines.from.get (), *to = lines.to.get ();
    std::fill_n (from + half, half, Complex{});
    for (auto k = begin; k < end; k++) {
      std::copy_n (spectra + k * stride, half, from);
      around.forward (from, to, lines.work.get ());
      // Outside of the double wedge: harmonics of points up to this radius end here, except for a tail.
      const double x = reach * level.radians (k);
      each[static_cast<size_t> (k)] =
          compare_ends (to, 2 * half, static_cast<int64_t> (x + 3 * std::cbrt (x) + 2), half);
    }
  });
}

// Compares rows t and t + half - lag.
Sums Guesses::opposites (int64_t lag) const
{
  return sum_up ([&] (int64_t begin, int64_t end, std::vector<Compared> &each) {
    for (auto k = begin; k < end; k++) {
      const auto *row = spectra + k * stride;
      each[static_cast<size_t> (k)] = compare (row, row + half - lag, std::min (number - half + lag, half));
    }
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
  const auto needed = groups (method);
  for (int round = 0; round < most_rounds; round++) {
    const auto found = guess (method, transform (axis, needed));
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
