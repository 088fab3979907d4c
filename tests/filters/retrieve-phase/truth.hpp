// SPDX-License-Identifier: LGPL-3.0-or-later
// The filter of phase retrieval in float64, by plain sums instead of fast transforms.
#pragma once
#include <complex>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

namespace sino::test::retrieve_phase_test {

using Complex = std::complex<double>;

// The n values `stride` apart, transformed in place.
inline void transform (Complex *values, int64_t n, int64_t stride, double sign)
{
  std::vector<Complex> turns, sums (static_cast<size_t> (n));
  for (int64_t i = 0; i < n; i++)
    turns.push_back (std::polar (1.0, sign * 2 * std::numbers::pi * static_cast<double> (i) / static_cast<double> (n)));
  for (int64_t k = 0; k < n; k++)
    for (int64_t j = 0; j < n; j++)
      sums[static_cast<size_t> (k)] += values[j * stride] * turns[static_cast<size_t> (j * k % n)];
  for (int64_t k = 0; k < n; k++)
    values[k * stride] = sums[static_cast<size_t> (k)];
}

// Multiplies the spectrum by `response` of the squared frequency in cycles per pixel. Half of the padding continues
// each edge.
inline std::vector<double> filtered (const std::function<double (int64_t, int64_t)> &value, int64_t rows,
                                     int64_t columns, int64_t height, int64_t width,
                                     const std::function<double (double)> &response)
{
  const auto within = [] (int64_t i, int64_t n, int64_t padded) {
    return i < n ? i : i < n + (padded - n) / 2 ? n - 1 : 0;
  };
  std::vector<Complex> image (static_cast<size_t> (height * width));
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++)
      image[static_cast<size_t> (y * width + x)] = value (within (y, rows, height), within (x, columns, width));
  const auto transform_all = [&] (double sign) {
    for (int64_t y = 0; y < height; y++)
      transform (&image[static_cast<size_t> (y * width)], width, 1, sign);
    for (int64_t x = 0; x < width; x++)
      transform (&image[static_cast<size_t> (x)], height, width, sign);
  };
  transform_all (-1);
  const auto frequency = [] (int64_t k, int64_t n) {
    return static_cast<double> (2 * k > n ? k - n : k) / static_cast<double> (n);
  };
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++) {
      const double v = frequency (y, height), u = frequency (x, width);
      image[static_cast<size_t> (y * width + x)] *= response (u * u + v * v) / static_cast<double> (width * height);
    }
  transform_all (1);
  std::vector<double> result;
  for (int64_t y = 0; y < rows; y++)
    for (int64_t x = 0; x < columns; x++)
      result.push_back (image[static_cast<size_t> (y * width + x)].real ());
  return result;
}

} // namespace sino::test::retrieve_phase_test
