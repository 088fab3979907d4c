// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/mirror.hpp"
#include "base/divide-up.hpp"
#include <array>
#include <cmath>
#include <new>
#include <numbers>

namespace sino::find_axis {

namespace {

using std::numbers::pi;
constexpr double fade = 0.3;         // share of the columns on each side of the axis that are faded out
constexpr double blur = 0.5;         // frequency, radians per column, beyond which noise is not let in
constexpr double highest = 3 * blur; // nothing is left there
constexpr int64_t coarse_columns = 256, fine_columns = 1024;
constexpr int most_rounds = 16;

using Complex = std::complex<float>;

template <class T> struct Aligned {
  struct Free {
    void operator() (T *p) const { operator delete[] (p, std::align_val_t (64)); }
  };
  std::unique_ptr<T[], Free> data;
  explicit Aligned (size_t n) : data (new (std::align_val_t (64)) T[n]) {}
  T *get () const { return data.get (); }
};

double weight_of (double frequency)
{
  return frequency * std::exp (-(frequency / blur) * (frequency / blur));
}

// The lags, in rows of the turn, at which rows are compared, where none is half a turn from another.
constexpr std::array near_lags{1, 2};
constexpr double farthest = 16; // columns that what is at the border may move in a step, for these to lead anywhere

} // namespace

// Columns in bins, for a first guess or for the result.
struct MirrorSearch::Level {
  int64_t bin, columns, length, frequencies;

  Level (int64_t all, int64_t most)
      : bin (divide_up (all, most)), columns (all / bin), length (Fft::good_length (2 * columns)),
        frequencies (
            std::min<int64_t> (length / 2, static_cast<int64_t> (highest / (2 * pi) * static_cast<double> (length))) +
            1)
  {
  }
  double radians (int64_t k) const { return 2 * pi * static_cast<double> (k) / static_cast<double> (length); }
};

// For each frequency: the products, what they could be at most, and their variance where nothing matches.
struct MirrorSearch::Sums {
  std::vector<std::complex<double>> products;
  double energy = 0, variance = 0;
};

namespace {

// Value of the match at s, with its first two derivatives.
struct Curve {
  double value = 0, slope = 0, bend = 0;
};

template <class Level> Curve curve (const Level &level, const std::vector<std::complex<double>> &products, double s)
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

// How far s may be off: each frequency pulls it its own way, and neighbours, which the fading joins, pull together.
template <class Level>
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

// The best s from `least` to `most`.
template <class Level>
double best_of (const Level &level, const std::vector<std::complex<double>> &products, double least, double most)
{
  constexpr int64_t fine = 4;
  const Fft fft (fine * level.length);
  const auto n = static_cast<size_t> (fft.length ());
  const Aligned<Complex> from (n), to (n);
  std::fill_n (from.get (), n, Complex{});
  double largest = 0;
  for (const auto &product : products)
    largest = std::max (largest, std::abs (product));
  for (size_t k = 1; k < products.size (); k++)
    from.get ()[k] = Complex (products[k] / largest);
  fft.forward (from.get (), to.get ());
  int64_t best = -1;
  for (int64_t i = 0; i < fft.length (); i++)
    if (const double s = static_cast<double> (i) / fine; s >= least && s <= most)
      if (best < 0 || to.get ()[i].real () > to.get ()[best].real ())
        best = i;
  double s = static_cast<double> (best) / fine;
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

// Takes from each column its mean over a whole turn, which is its own mirror image: what stands still goes with it, and
// a wide object's smooth bulk, which would match itself anywhere.
static void subtract_means (std::vector<float> &rows, int64_t number, int64_t columns)
{
  for (int64_t c = 0; c < columns; c++) {
    double sum = 0;
    for (int64_t t = 0; t < number; t++)
      sum += static_cast<double> (rows[static_cast<size_t> (t * columns + c)]);
    const auto mean = static_cast<float> (sum / static_cast<double> (number));
    for (int64_t t = 0; t < number; t++)
      rows[static_cast<size_t> (t * columns + c)] -= mean;
  }
}

MirrorSearch::MirrorSearch (const Turn &t, int64_t n) : turn (t), columns (n) {}

size_t MirrorSearch::bytes (const Turn &turn, int64_t columns, int threads)
{
  const Level level (columns, fine_columns);
  const auto rows = turn.rows.size () + 1;
  const auto binned = rows * static_cast<size_t> (level.columns) * sizeof (float);
  const auto spectra = rows * static_cast<size_t> (level.frequencies) * sizeof (Complex);
  const auto lines =
      static_cast<size_t> (threads) * 4 * static_cast<size_t> (level.length + 2 * turn.half) * sizeof (Complex);
  return binned + spectra + lines + 8 * static_cast<size_t> (level.length) * sizeof (Complex) +
         static_cast<size_t> (threads + 2) * static_cast<size_t> (level.frequencies) * 32;
}

std::optional<Match> MirrorSearch::at (const Level &level, Method method, const float *rows, double start,
                                       const Cpu &cpu)
{
  const auto number = static_cast<int64_t> (turn.rows.size ()), half = turn.half;
  const Fft along (level.length), around (2 * half);
  const Aligned<Complex> spectra (static_cast<size_t> (number * level.frequencies)); // [frequency][row]
  const auto transform = [&] (double axis) {
    const double reach = std::min (axis, static_cast<double> (level.columns) - axis);
    std::vector<float> window;
    for (int64_t c = 0; c < level.columns; c++) {
      const double in = (reach - std::abs (static_cast<double> (c) + 0.5 - axis)) / (fade * reach);
      window.push_back (static_cast<float> (0.5 - 0.5 * std::cos (pi * std::clamp (in, 0.0, 1.0))));
    }
    // Two rows at a time, as real and imaginary parts.
    cpu.parallel ((number + 1) / 2, 16, [&] (int64_t begin, int64_t end) {
      const auto n = static_cast<size_t> (level.length);
      const Aligned<Complex> from (n), to (n);
      std::fill_n (from.get (), n, Complex{});
      for (int64_t pair = begin; pair < end; pair++) {
        const auto *first = rows + 2 * pair * level.columns;
        const bool both = 2 * pair + 1 < number;
        const auto *second = both ? first + level.columns : first;
        for (int64_t c = 0; c < level.columns; c++) {
          const float w = window[static_cast<size_t> (c)];
          from.get ()[c] = {w * first[c], w * second[c]};
        }
        along.forward (from.get (), to.get ());
        for (int64_t k = 0; k < level.frequencies; k++) {
          const auto a = to.get ()[k], b = std::conj (to.get ()[k == 0 ? 0 : level.length - k]);
          auto *place = spectra.get () + k * number + 2 * pair;
          place[0] = 0.5f * (a + b);
          if (both)
            place[1] = Complex (0, -0.5f) * (a - b);
        }
      }
    });
    return reach;
  };

  // A frequency's product, energy and variance.
  struct Sum {
    std::complex<double> product;
    double energy = 0, variance = 0;
  };
  const auto compare = [] (Sum &sum, const Complex &a, const Complex &b, double sign) {
    sum.product += sign * std::conj (std::complex<double> (a) * std::complex<double> (b));
    const double ea = std::norm (a), eb = std::norm (b);
    sum.energy += 0.5 * (ea + eb);
    sum.variance += ea * eb;
  };
  const auto sum_up = [&] (const auto &sum_of) {
    Sums sums{std::vector<std::complex<double>> (static_cast<size_t> (level.frequencies)), 0, 0};
    std::vector<Sum> each (static_cast<size_t> (level.frequencies));
    cpu.parallel (level.frequencies - 1, 4, [&] (int64_t begin, int64_t end) {
      const auto n = static_cast<size_t> (2 * half);
      const Aligned<Complex> from (n), to (n);
      for (int64_t k = begin + 1; k <= end; k++)
        each[static_cast<size_t> (k)] = sum_of (k, from.get (), to.get ());
    });
    for (int64_t k = 1; k < level.frequencies; k++) {
      const double weight = weight_of (level.radians (k));
      const auto &sum = each[static_cast<size_t> (k)];
      sums.products[static_cast<size_t> (k)] = weight * sum.product;
      sums.energy += 2 * weight * sum.energy;
      sums.variance += 2 * weight * weight * sum.variance;
    }
    return sums;
  };
  const auto wedge = [&] (double reach) {
    return sum_up ([&] (int64_t k, Complex *from, Complex *to) {
      Sum sum;
      std::copy_n (spectra.get () + k * number, half, from);
      std::fill_n (from + half, half, Complex{});
      around.forward (from, to);
      // The harmonics of what is at the radius end there, but for a tail.
      const double x = reach * level.radians (k);
      for (auto v = static_cast<int64_t> (x + 3 * std::cbrt (x) + 2); v < half; v++)
        compare (sum, to[v], to[2 * half - v], v % 2 ? 1 : -1);
      return sum;
    });
  };
  // Rows t and t + half - lag.
  const auto opposites = [&] (int64_t lag) {
    return sum_up ([&] (int64_t k, Complex *, Complex *) {
      Sum sum;
      const auto *row = spectra.get () + k * number;
      for (int64_t t = 0; t + half - lag < number && t < half; t++)
        compare (sum, row[t], row[t + half - lag], 1);
      return sum;
    });
  };

  const double least = 0.04 * static_cast<double> (level.columns);
  const auto range = [&] (const Sums &sums) {
    return best_of (level, sums.products, 2 * least - 1, 2 * (static_cast<double> (level.columns) - least) - 1);
  };
  double axis = start;
  std::optional<Match> match;
  struct {
    double axis, off;
  } before{};
  for (int round = 0; round < most_rounds; round++) {
    const double reach = transform (axis);
    Sums sums;
    double s = 0, doubt = 0;
    if (method == Method::wedge) {
      sums = wedge (reach);
      if (!(sums.energy > 0) || !std::isfinite (sums.energy))
        return {};
      s = range (sums);
      doubt = uncertainty (level, sums.products, s, reach);
    } else if (turn.opposites () > 0) {
      sums = opposites (0);
      if (!(sums.energy > 0) || !std::isfinite (sums.energy))
        return {};
      s = range (sums);
      doubt = uncertainty (level, sums.products, s, reach);
    } else {
      // The nearest rows to half a turn apart, and those after them: where they lead to.
      const auto second = opposites (near_lags[1]);
      sums = opposites (near_lags[0]);
      if (!(sums.energy > 0) || !(second.energy > 0) || !std::isfinite (sums.energy))
        return {};
      const double first = range (sums), other = range (second);
      s = 2 * first - other;
      doubt = std::hypot (2 * uncertainty (level, sums.products, first, reach),
                          uncertainty (level, second.products, other, reach));
    }
    const auto c = curve (level, sums.products, s);
    const double found = std::clamp (0.5 * s + 0.5, least, static_cast<double> (level.columns) - least);
    // What is found lies between the guess, which the fading favours, and the axis: two of them tell where they meet.
    const double off = found - axis;
    double next = found, gain = 1;
    if (round > 0)
      if (const double slope = (off - before.off) / (axis - before.axis); slope < -0.05) {
        next = axis - std::clamp (off / slope, -10 * std::abs (off), 10 * std::abs (off));
        gain = std::clamp (-1 / slope, 1.0, 10.0);
      }
    next = std::clamp (next, least, static_cast<double> (level.columns) - least);
    match = Match{next, c.value / sums.energy, c.value / std::sqrt (sums.variance), -c.bend, 0.5 * gain * doubt};
    before = {axis, off};
    if (std::abs (next - axis) < 0.005)
      break;
    axis = next;
  }
  // The best of a range that ends there matches nothing.
  if (match && (match->axis <= least || match->axis >= static_cast<double> (level.columns) - least))
    match->coherence = match->certainty = 0;
  return match;
}

std::optional<Match> MirrorSearch::find (Method method, const float *rows, const Cpu &cpu)
{
  const auto number = static_cast<int64_t> (turn.rows.size ());
  const auto binned = [&] (const Level &level) {
    std::vector<float> all (static_cast<size_t> (number * level.columns));
    cpu.parallel (number, 16, [&] (int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; t++)
        for (int64_t c = 0; c < level.columns; c++) {
          float sum = 0;
          for (int64_t i = 0; i < level.bin; i++)
            sum += rows[t * columns + c * level.bin + i];
          all[static_cast<size_t> (t * level.columns + c)] = sum;
        }
    });
    if (method == Method::opposites && turn.whole ())
      subtract_means (all, number, level.columns);
    return all;
  };
  if (method == Method::opposites && turn.opposites () == 0 &&
      pi / static_cast<double> (turn.half) * 0.5 * static_cast<double> (columns) > farthest)
    return {};
  const Level coarse (columns, coarse_columns), fine (columns, fine_columns);
  if (coarse.columns < 8)
    return {};
  std::optional<Match> first;
  {
    const auto few = binned (coarse);
    const auto guess = [&] (double share) {
      const auto match = at (coarse, method, few.data (), share * static_cast<double> (coarse.columns), cpu);
      if (match && (!first || match->weight > first->weight))
        first = match;
    };
    guess (0.5);
    if (method == Method::opposites && turn.whole ())
      for (const double share : {0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9})
        guess (share);
    else if (first && first->coherence < 0.5)
      for (const double share : {0.3, 0.7})
        guess (share);
  }
  if (!first)
    return {};
  const double axis = first->axis * static_cast<double> (coarse.bin);
  auto match = at (fine, method, binned (fine).data (), axis / static_cast<double> (fine.bin), cpu);
  if (match) {
    match->axis *= static_cast<double> (fine.bin);
    match->error *= static_cast<double> (fine.bin);
  }
  return match;
}

} // namespace sino::find_axis
