// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtered back-projection with exact interpolation by its definition, in double: the sum over all frequencies of the
// padded rows, for one pixel after the other.
#pragma once
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include "tests/filters/back-project/node.hpp"
#include <complex>
#include <functional>

namespace sino::test {

struct FourierTruth {
  const NoiseScan &scan;
  int64_t padded;
  std::vector<std::complex<double>> terms; // [row][ray][k], k = 0 .. padded / 2; k = 0 and the last count half

  // `window`: of the frequency in units of Nyquist's; `edge`: padded with the rows' ends. `least`: of the padded
  // length.
  FourierTruth (const NoiseScan &s, int64_t least, const std::function<double (double)> &window, bool edge = false)
      : scan (s), padded (2 * fourier_reconstruct::good_length ((least + 1) / 2))
  {
    const auto n = static_cast<double> (padded);
    std::vector<double> response;
    for (int64_t k = 0; k <= padded / 2; k++) {
      double sum = 0.25; // first term of Kak and Slaney's ramp on a circle
      for (int64_t i = 1; i < padded / 2; i += 2)
        sum -= 2 * std::cos (2 * std::numbers::pi * static_cast<double> (k * i % padded) / n) /
               std::pow (std::numbers::pi * static_cast<double> (i), 2);
      response.push_back (sum * window (2 * static_cast<double> (k) / n) / n * (k == 0 || 2 * k == padded ? 1 : 2));
    }
    for (int64_t row = 0; row < scan.rows; row++)
      for (int64_t ray = 0; ray < scan.projections (); ray++)
        for (int64_t k = 0; k <= padded / 2; k++) {
          std::complex<double> sum = 0;
          for (int64_t i = 0; i < padded; i++)
            if (i < scan.columns || edge)
              sum +=
                  bin (row, ray, i) * std::polar (1., -2 * std::numbers::pi * static_cast<double> (k * i % padded) / n);
          terms.push_back (sum * response[static_cast<size_t> (k)]);
        }
  }

  double slice (int64_t row, int64_t i, int64_t j) const
  {
    return sum (row, [&] (int64_t ray) { return scan.seen_at (ray, i, j); });
  }
  // The slice at a place, counted in pixels from its centre.
  double place (int64_t row, double x, double y) const
  {
    return sum (row, [&] (int64_t ray) { return scan.place_seen_at (ray, x, y); });
  }

private:
  template <class Seen> double sum (int64_t row, Seen seen_at) const
  {
    double all = 0;
    for (int64_t ray = 0; ray < scan.projections (); ray++) {
      const auto *term = terms.data () + (row * scan.projections () + ray) * (padded / 2 + 1);
      const auto step = std::polar (1., 2 * std::numbers::pi * (seen_at (ray) - 0.5) / static_cast<double> (padded));
      std::complex<double> turn = 1;
      double sum = 0;
      for (int64_t k = 0; k <= padded / 2; k++, turn *= step)
        sum += term[k].real () * turn.real () - term[k].imag () * turn.imag ();
      all += scan.weights[static_cast<size_t> (ray)] * sum;
    }
    return all;
  }

  double bin (int64_t row, int64_t ray, int64_t i) const
  {
    if (i < scan.columns)
      return scan.value (row, ray, i);
    return scan.value (row, ray, i < scan.columns + (padded - scan.columns) / 2 ? scan.columns - 1 : 0);
  }
};

inline double error_of (const Array &slices, const FourierTruth &truth, bool mask = false)
{
  RelativeError error;
  const auto &x = slices.format.dim (Axis::x), &y = slices.format.dim (Axis::y);
  const float *got = slices.as<float> ();
  for (int64_t row = 0; row < slices.format.rows (); row++)
    for (int64_t j = 0; j < y.extent; j++)
      for (int64_t i = 0; i < x.extent; i++, got++) {
        const bool inside = truth.scan.in_circle (x.number (i), y.number (j));
        if (mask && !inside)
          g_assert_cmpfloat (*got, ==, 0);
        else if (inside)
          error.add (*got, truth.slice (row, x.number (i), y.number (j)));
      }
  return error.value ();
}

} // namespace sino::test
