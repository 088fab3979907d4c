// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtered back-projection by gridding in Fourier space: definitions and parameters for all implementations.
//
// With P the length of padded rows, c the ray's origin in bins, and (x, y) the pixel's centre from the slice's,
//
//   slice (x, y) = sum over rays of weight sum over |k| <= P/2 of  R_k p^_k e^(2 pi i k c / P)  e^(2 pi i k / P (x cos
//   - y sin))
//
// where p^ is the row's transform and R the ramp with its window over P (the terms k = +-P/2 count half). That is
// filtered back-projection with exact interpolation. The sum over (ray, k) is a transform of scattered frequencies:
// each term is spread over a grid of G x G frequencies by a compact function phi in both directions, the grid is
// transformed, and the result divided by the transform of phi (J. D. O'Sullivan, IEEE Trans. Med. Imaging 4, 200, 1985;
// A. Dutt, V. Rokhlin, SIAM J. Sci. Comput. 14, 1368, 1993).
//
// Pixel centres of an even slice are at half-integers, those of the transform at integers: the phases of rays include
// this shift.
#pragma once
#include "kernels/back-project/back-project.hpp"
#include "kernels/fourier-reconstruct/kaiser-bessel.hpp"
#include "kernels/ramp-filter/response.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sino::fourier_reconstruct {

using back_project::Ray;
using back_project::Roi;

struct Filter {
  ramp_filter::Window window;
  double cutoff;  // a share of Nyquist's frequency
  int order;      // butterworth's order
  double power;   // sinc's power
  double spacing; // distance of columns: the ramp is divided by it
};

// R_k of rows of the padded length P, without the last one's half; `ramp`: ramp_filter::Ramp (P).at (k).
double response_at (const Filter &filter, int64_t padded, int64_t k, double ramp);

struct Job {
  int64_t size;      // bins of a row
  int64_t slice = 0; // columns and rows of the full slice; 0: size
  std::span<const Ray> rays;
  Filter filter;
  bool edge;                  // rows are padded with their first and last values, else with zeros
  bool halves = false;        // terms are stored as half, scaled by powers of two, and added as single
  int width;                  // width of phi
  double oversampling = 1.25; // cells of the grid per pixel, at least
  bool mask;                  // pixels with the centre outside the inscribed circle of the full slice are 0
  Roi roi;
};

// The narrowest phi with this relative accuracy (root mean square inside the circle) at the usual
// oversampling; 0: none.
int width_for (double accuracy);
constexpr double best_accuracy = 5e-5;

struct Gridding {
  int64_t size;   // columns and rows of the slice
  int64_t padded; // P, a multiple of 4
  int64_t grid;   // G, even
  KaiserBessel phi;
  std::vector<float> response; // R_k, k = 0 .. P/2, the last one halved; of all rays, or of each
  double largest_response = 0;
  std::vector<float> correction; // [size]: (-1)^m / phi^ (m / G), m = i - floor (size / 2)

  Gridding (int64_t size, int64_t padded, int64_t grid, int width);
  // Computes the response, which takes up to seconds for long rows: `parts` runs body (begin, end) over parts of [0,
  // n).
  template <class Parts> void set_filter (const Filter &filter, Parts parts);

  const float *response_of (size_t ray) const
  {
    const auto count = static_cast<size_t> (padded / 2 + 1);
    return response.data () + (response.size () > count ? ray * count : 0);
  }
  // Pixel i of the transform is at i - floor (size / 2) + shift ().
  double shift () const { return size % 2 ? 0 : 0.5; }
  // c, including the shift of even slices.
  double origin_of (const Ray &ray) const { return ray.origin + shift () * (ray.cos - ray.sin); }
  // 2^exponent_of () exceeds all terms of a ray of this weight, for rows with values up to 1. The filter must be set.
  int exponent_of (float weight) const;
  // The pixel in a line for result k of the transform, or -1.
  int64_t pixel_of (int64_t k) const
  {
    if (k < size - size / 2)
      return k + size / 2;
    return k >= grid - size / 2 ? k - (grid - size / 2) : -1;
  }
  // Cells per k.
  double scale () const { return static_cast<double> (grid) / static_cast<double> (padded); }
};

// Exponent of the factor for terms stored as half: terms below 2^exponent_of_terms times 2^exponent_of_values stay
// below 2^15. Terms that are 2^29 times smaller lose digits.
constexpr int half_scale (int exponent_of_terms, int exponent_of_values)
{
  return std::clamp (15 - exponent_of_terms - exponent_of_values, -100, 100);
}

// Chooses lengths that all implementations can transform, so that their results agree. Throws Error if rows are too
// long.
Gridding gridding_for (const Job &job);
int64_t padded_for (int64_t size, std::span<const Ray> rays);
int64_t grid_for (int64_t size, double oversampling);

// Least padded length at which no ray reaches the next period's row inside the slice.
int64_t least_padding (int64_t size, std::span<const Ray> rays);

template <class Parts> void Gridding::set_filter (const Filter &filter, Parts parts)
{
  const ramp_filter::Ramp ramp (padded);
  response.resize (static_cast<size_t> (padded / 2 + 1));
  parts (padded / 2 + 1, [&] (int64_t begin, int64_t end) {
    for (auto k = begin; k < end; k++) {
      const auto slope = filter.window == ramp_filter::Window::none ? 0 : ramp.at (k);
      response[static_cast<size_t> (k)] =
          static_cast<float> (response_at (filter, padded, k, slope) * (2 * k == padded ? 0.5 : 1.0));
    }
  });
  largest_response = static_cast<double> (*std::ranges::max_element (response));
}

} // namespace sino::fourier_reconstruct
