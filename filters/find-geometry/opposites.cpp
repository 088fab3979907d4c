// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/opposites.hpp"
#include "base/cancellation.hpp"
#include "filters/find-geometry/interpolation.hpp"
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sino::find_geometry {

Interval rows_around (const Reduced &scan, const Detector &detector, double window)
{
  const double lean =
      (std::abs (std::sin (detector.roll)) + 0.01) * static_cast<double> (scan.columns) * 0.5 / detector.aspect;
  const auto at = [&] (double row) { return std::clamp<int64_t> (static_cast<int64_t> (row), 0, scan.rows); };
  return {at (detector.row - window - lean - 3), at (detector.row + window + lean + 4)};
}

Harmonics harmonics_of (const Reduced &scan, const Interval &rows, int count)
{
  Harmonics all{rows.begin, rows.size (), scan.columns, count, {}, {}};
  const auto size = static_cast<size_t> (count * all.rows * all.columns);
  all.real.assign (size, 0);
  all.imaginary.assign (size, 0);
  for (int64_t view = 0; view < scan.views (); view++) {
    step_unless_cancelled ();
    const double scale = scan.shares[static_cast<size_t> (view)];
    for (int k = 0; k < count; k++) {
      const auto c = static_cast<float> (scale * std::cos ((k + 1) * scan.angles[static_cast<size_t> (view)])),
                 s = static_cast<float> (-scale * std::sin ((k + 1) * scan.angles[static_cast<size_t> (view)]));
      const float *from = scan.row (view, rows.begin);
      float *real = &all.real[all.at (k, 0)], *imaginary = &all.imaginary[all.at (k, 0)];
      for (int64_t i = 0; i < all.rows * all.columns; i++) {
        real[i] += c * from[i];
        imaginary[i] += s * from[i];
      }
    }
  }
  for (auto *values : {&all.real, &all.imaginary})
    smooth (values->data (), {.number = static_cast<size_t> (count * all.rows),
                              .apart = static_cast<size_t> (all.columns),
                              .length = static_cast<size_t> (all.columns),
                              .step = 1});
  return all;
}

Opposites::Opposites (const Harmonics &harmonics, const Values &start, double row_aspect, double rows)
    : all (harmonics), aspect (row_aspect), window (rows),
      half (std::min (start[axis_number], static_cast<double> (all.columns) - start[axis_number]) - 3)
{
  weigh (start);
}

// The two sides of each pair, harmonic by harmonic. Rays in steps of a column for every distance, so that a change of
// it hardly moves the places to interpolate.
template <class Each> void Opposites::sides (const Values &values, Each each) const
{
  const auto detector = detector_of (values, aspect);
  const auto panel = panel_of (detector);
  struct Pair {
    Place a, b;
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
      const auto find = [&] (const Spot &spot, Place &place) {
        return find_place (all.columns, all.rows, spot.column, spot.row - static_cast<double> (all.first), place);
      };
      pair.seen = find (panel.spot ({s, c, kappa}), pair.a) && find (panel.spot ({-s, c, kappa}), pair.b);
      pairs.push_back (pair);
    }
  }
  using Complex = std::complex<double>;
  for (int k = 1; k <= all.count; k++) {
    const float *real = &all.real[all.at (k - 1, 0)], *imaginary = &all.imaginary[all.at (k - 1, 0)];
    const double sign = k % 2 ? -1 : 1;
    for (const auto &pair : pairs) {
      if (!pair.seen) {
        each (Complex (0), Complex (0));
        continue;
      }
      const auto value = [&] (const Place &place) {
        return Complex (value_at (real, all.columns, place), value_at (imaginary, all.columns, place));
      };
      const auto a = value (pair.a), b = value (pair.b);
      each (a, std::polar (sign, k * pair.turn) * b);
    }
  }
}

// Weights: the coherence of the two sides in the neighbourhood, above that of noise. Without them a turn of the phase
// of noise would count as information.
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
