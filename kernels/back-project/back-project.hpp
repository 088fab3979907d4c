// SPDX-License-Identifier: LGPL-3.0-or-later
// Definition of back-projection for parallel beams, for all kernels:
//
//   slice (x, y) = sum over k of weight_k * p_k (origin_k + x cos_k - y sin_k)
//
// with (x, y) the pixel's centre, counted from the slice's centre, and p_k sampled at the centres of the bins and 0 at
// every bin outside the detector.
#pragma once
#include <cstdint>
#include <span>

namespace sino::back_project {

struct Ray {
  double cos, sin;
  double origin; // position of the slice's centre, in bins from the centre of bin 0
  float weight;
};

// A region of the full slice, in pixels.
struct Roi {
  int64_t x = 0, y = 0, width = 0, height = 0;

  double pixels () const { return static_cast<double> (width * height); }
  friend bool operator== (const Roi &, const Roi &) = default;
};

// Whether the centre of a pixel lies in the inscribed circle of the full slice. Exact: twice the coordinates are
// integers.
constexpr bool in_circle (int64_t size, int64_t x, int64_t y)
{
  const int64_t dx = 2 * x + 1 - size, dy = 2 * y + 1 - size;
  return dx * dx + dy * dy <= size * size;
}

// Interpolation between bins. oversample: the nearest of four points per bin, which are interpolated linearly.
enum class Interpolation { linear, nearest, oversample };
constexpr int oversampling = 4;

// Type in which bins are stored and added. single: float. half_storage: stored as IEEE half, added as float. half:
// stored and added as half. int16: 16-bit integers, scaled to the largest value of their slice.
enum class Precision { single, half_storage, half, int16 };

struct Job {
  const void *bins; // [ray][bin][lane], each lane belongs to a slice
  bool half;        // bins are IEEE half, else float
  int lanes;        // 1, 2, 4, 8, 16 or 32
  int64_t size;     // bins of a ray; the full slice has size x size pixels
  std::span<const Ray> rays;
  Interpolation interpolation;
  Precision precision;
  bool mask; // pixels with the centre outside the inscribed circle of the full slice are 0
  Roi roi;
};

} // namespace sino::back_project
