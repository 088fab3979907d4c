// SPDX-License-Identifier: LGPL-3.0-or-later
// Steps of a wavelet transform of sinograms of which only stripes are wanted: what is smooth along angles. Beyond the
// borders stand the values within, mirrored.
#pragma once
#include "kernels/remove-stripes/shape.hpp"
#include <span>
#include <vector>

namespace sino::remove_stripes {

// Numbers of values along an axis, of all lanes for columns.
struct Plane {
  int64_t angles, columns, lanes;

  int64_t width () const { return columns * lanes; }
  int64_t values () const { return angles * width (); }
};

// The two filters of a wavelet, as they put values together again.
struct Bank {
  std::vector<float> low, high;

  explicit Bank (int moments);
  int64_t size () const { return static_cast<int64_t> (low.size ()); }
  int64_t halved (int64_t n) const { return (n + size () - 1) / 2; }
};

// The coarse half along angles of `from`: its angles [begin, end).
void coarsen_angles (const Plane &from, const Bank &bank, const float *in, int64_t begin, int64_t end, float *out);

// The coarse and the fine half along columns, of the angles [begin, end).
void split_columns (const Plane &from, const Bank &bank, const float *in, int64_t begin, int64_t end, float *coarse,
                    float *fine);

// The inverse of the latter: `to` has the angles of the halves.
void join_columns (const Plane &to, const Bank &bank, const float *coarse, const float *fine, int64_t begin,
                   int64_t end, float *out);

// Adds the inverse of the first, times a factor, to the angles [begin, end) of `to`.
void add_refined_angles (const Plane &to, const Bank &bank, const float *coarse, float factor, int64_t begin,
                         int64_t end, float *out);

// Keeps of each column what has low frequencies along angles: each times exp (-k^2 / 2 sigma^2).
class LowPass
{
public:
  LowPass (int64_t angles, double sigma);

  static constexpr int64_t together = 256; // columns
  static size_t scratch_bytes (int64_t angles, double sigma);
  // The columns [begin, end), of all lanes; `together` of them at most.
  void apply (int64_t width, int64_t begin, int64_t end, float *scratch, float *values) const;

private:
  int64_t angles;
  std::vector<float> weights, cosines, sines;
};

} // namespace sino::remove_stripes
