// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/opposites.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sino::find_geometry {
namespace {

Harmonics harmonics_of (const Reduced &scan, int64_t first, int64_t end, int count)
{
  Harmonics all{first, end - first, scan.columns, count, {}, {}};
  const auto size = static_cast<size_t> (count * all.rows * all.columns);
  all.real.assign (size, 0);
  all.imaginary.assign (size, 0);
  for (int64_t view = 0; view < scan.views (); view++) {
    step_unless_cancelled ();
    const double scale = scan.shares[static_cast<size_t> (view)];
    for (int k = 0; k < count; k++) {
      const auto c = static_cast<float> (scale * std::cos ((k + 1) * scan.angles[static_cast<size_t> (view)])),
                 s = static_cast<float> (-scale * std::sin ((k + 1) * scan.angles[static_cast<size_t> (view)]));
      const float *from = scan.row (view, first);
      float *real = &all.real[all.at (k, 0)], *imaginary = &all.imaginary[all.at (k, 0)];
      for (int64_t i = 0; i < all.rows * all.columns; i++) {
        real[i] += c * from[i];
        imaginary[i] += s * from[i];
      }
    }
  }
  // Interpolation takes smooth rows only.
  std::vector<float> line (static_cast<size_t> (all.columns));
  for (auto *values : {&all.real, &all.imaginary})
    for (size_t at = 0; at < size; at += static_cast<size_t> (all.columns)) {
      float *row = values->data () + at;
      std::copy (row, row + all.columns, line.begin ());
      for (int64_t u = 2; u + 2 < all.columns; u++) {
        const float *x = line.data () + u;
        row[u] = (x[-2] + x[2]) / 16 + (x[-1] + x[1]) / 4 + x[0] * 3 / 8;
      }
    }
  return all;
}

struct Mixed {
  size_t offset; // of the first of four values above
  float weights[4];
  float share; // of the row below
};

bool mixed_at (const Harmonics &all, const Spot &spot, Mixed &mixed)
{
  const double v = spot.row - 0.5 - static_cast<double> (all.first);
  const auto top = static_cast<int64_t> (std::floor (v));
  const auto taps = taps_at (spot.column);
  if (top < 0 || top + 1 >= all.rows || taps.first < 0 || taps.first + 3 >= all.columns)
    return false;
  mixed.offset = static_cast<size_t> (top * all.columns + taps.first);
  std::copy (std::begin (taps.weights), std::end (taps.weights), mixed.weights);
  mixed.share = static_cast<float> (v - static_cast<double> (top));
  return true;
}

double value_at (const std::vector<float> &values, size_t base, const Mixed &mixed, int64_t columns)
{
  const float *above = &values[base + mixed.offset], *below = above + columns;
  float sum = 0;
  for (int i = 0; i < 4; i++)
    sum += mixed.weights[i] * ((1 - mixed.share) * above[i] + mixed.share * below[i]);
  return static_cast<double> (sum);
}

} // namespace

Opposites::Opposites (const Reduced &scan, const Values &start, double row_aspect, double rows, int harmonics)
    : aspect (row_aspect), window (rows)
{
  const auto detector = detector_of (start, aspect);
  const auto width = static_cast<double> (scan.columns);
  const double lean = (std::abs (std::sin (detector.roll)) + 0.01) * width * 0.5 / aspect;
  const auto at = [&] (double row) { return std::clamp<int64_t> (static_cast<int64_t> (row), 0, scan.rows); };
  all = harmonics_of (scan, at (detector.row - window - lean - 3), at (detector.row + window + lean + 4), harmonics);
  half = std::min (detector.axis, width - detector.axis) - 3;
  weigh (start);
}

// The two sides of each pair, harmonic by harmonic. Rays in steps of a column for every distance, so that a change of
// it hardly moves the places to interpolate.
template <class Each> void Opposites::sides (const Values &values, Each each) const
{
  const auto detector = detector_of (values, aspect);
  const auto panel = panel_of (detector);
  struct Pair {
    Mixed a, b;
    double turn; // twice the fan angle
    bool seen;
  };
  std::vector<Pair> pairs;
  for (double line = -window; line <= window; line += 1) {
    const double kappa = line * aspect / detector.distance;
    for (double u = 0.5; u < half; u += 1) {
      const double gamma = std::atan (u / detector.distance), s = std::sin (gamma), c = std::cos (gamma);
      Pair pair;
      pair.turn = 2 * gamma;
      pair.seen =
          mixed_at (all, panel.spot ({s, c, kappa}), pair.a) && mixed_at (all, panel.spot ({-s, c, kappa}), pair.b);
      pairs.push_back (pair);
    }
  }
  using Complex = std::complex<double>;
  for (int k = 1; k <= all.count; k++) {
    const auto base = all.at (k - 1, 0);
    const double sign = k % 2 ? -1 : 1;
    for (const auto &pair : pairs) {
      if (!pair.seen) {
        each (Complex (0), Complex (0));
        continue;
      }
      const Complex a (value_at (all.real, base, pair.a, all.columns),
                       value_at (all.imaginary, base, pair.a, all.columns)),
          b (value_at (all.real, base, pair.b, all.columns), value_at (all.imaginary, base, pair.b, all.columns));
      each (a, std::polar (sign, k * pair.turn) * b);
    }
  }
}

// Where there is nothing but noise, the two sides have nothing in common, and a turn of its phase would count as
// information. Weight: their coherence in the neighbourhood, above that of noise.
void Opposites::weigh (const Values &start)
{
  std::vector<std::complex<double>> common;
  std::vector<double> power;
  sides (start, [&] (std::complex<double> a, std::complex<double> b) {
    common.push_back (a * std::conj (b));
    power.push_back (0.5 * (std::norm (a) + std::norm (b)));
  });
  std::complex<double> whole = 0;
  double size_of_all = 0;
  for (size_t i = 0; i < common.size (); i++) {
    whole += common[i];
    size_of_all += power[i];
  }
  common_share = size_of_all > 0 ? std::abs (whole) / size_of_all : 0;
  const auto across = static_cast<int64_t> (common.size ()) / all.count; // of all lines
  constexpr int64_t columns = 6, harmonics = 2;
  constexpr double of_noise = 0.2;
  weights.assign (common.size (), 0);
  for (int64_t k = 0; k < all.count; k++)
    for (int64_t i = 0; i < across; i++) {
      std::complex<double> sum = 0;
      double size = 0;
      for (auto l = std::max<int64_t> (k - harmonics, 0); l <= std::min<int64_t> (k + harmonics, all.count - 1); l++)
        for (auto j = std::max<int64_t> (i - columns, 0); j <= std::min (i + columns, across - 1); j++) {
          sum += common[static_cast<size_t> (l * across + j)];
          size += power[static_cast<size_t> (l * across + j)];
        }
      const double coherence = size > 0 ? std::abs (sum) / size : 0;
      weights[static_cast<size_t> (k * across + i)] = std::max (coherence - of_noise, 0.0) / (1 - of_noise);
    }
}

void Opposites::add (const Values &values, std::vector<double> &left) const
{
  size_t i = 0;
  sides (values, [&] (std::complex<double> a, std::complex<double> b) {
    const auto d = weights[i++] * (a - b);
    left.push_back (d.real ());
    left.push_back (d.imag ());
  });
}

// Beyond the plane the difference is E = 2 k M with the slope k of the ray, for an M that changes slowly with k: it is
// zero in the plane. With its change G from row to row, least squares for E = (row - r) G give r.
double Opposites::rows_to_plane (const Values &values) const
{
  std::vector<double> left;
  add (values, left);
  const auto lines = static_cast<int64_t> (2 * window + 1),
             across = static_cast<int64_t> (left.size ()) / (2 * lines * all.count);
  double top = 0, bottom = 0;
  for (int k = 0; k < all.count; k++)
    for (int64_t line = 1; line + 1 < lines; line++) {
      const auto at = static_cast<size_t> ((k * lines + line) * across * 2), step = static_cast<size_t> (across * 2);
      const double j = static_cast<double> (line) - window, x = j / (window + 1), taper = (1 - x * x) * (1 - x * x);
      for (size_t i = at; i < at + step; i++) {
        const double e = left[i], g = 0.5 * (left[i + step] - left[i - step]);
        top += taper * (j * g - e) * g;
        bottom += taper * g * g;
      }
    }
  return bottom > 0 ? top / bottom : 0;
}

} // namespace sino::find_geometry
