// SPDX-License-Identifier: LGPL-3.0-or-later
// Steps of a wavelet transform of sinograms that keep only stripes, which are smooth along angles. Beyond the borders,
// values are mirrored.
#pragma once
#include "kernels/remove-stripes/shape.hpp"
#include <vector>

namespace sino::remove_stripes {

// Size of an array; `columns` counts those of one lane.
struct Plane {
  int64_t angles, columns, lanes;

  int64_t width () const { return columns * lanes; }
  int64_t values () const { return angles * width (); }
};

// The two reconstruction filters of a wavelet.
struct Bank {
  std::vector<float> low, high;

  explicit Bank (int moments);
  int64_t size () const { return static_cast<int64_t> (low.size ()); }
  int64_t halved (int64_t n) const { return (n + size () - 1) / 2; }
};

// Coarse half of `from` along angles: computes its angles [begin, end).
void coarsen_angles (const Plane &from, const Bank &bank, const float *in, int64_t begin, int64_t end, float *out);

// Coarse and fine half along columns, for the angles [begin, end).
void split_columns (const Plane &from, const Bank &bank, const float *in, int64_t begin, int64_t end, float *coarse,
                    float *fine);

// Inverse of split_columns (): `to` has the angles of the halves.
void join_columns (const Plane &to, const Bank &bank, const float *coarse, const float *fine, int64_t begin,
                   int64_t end, float *out);

// Adds the inverse of coarsen_angles (), times a factor, to the angles [begin, end) of `to`.
void add_refined_angles (const Plane &to, const Bank &bank, const float *coarse, float factor, int64_t begin,
                         int64_t end, float *out);

// Low-pass filter along angles for each column: multiplies frequency k by exp (-k^2 / 2 sigma^2).
class LowPass
{
public:
  LowPass (int64_t angles, double sigma);

  static constexpr int64_t together = 256; // columns
  static size_t scratch_bytes (int64_t angles, double sigma);
  // Number of frequencies that are kept, and for other devices: their weights, then cosines and sines of all angles.
  int64_t frequencies () const { return static_cast<int64_t> (weights.size ()); }
  std::vector<float> factors () const;
  // Filters the columns [begin, end), of all lanes; at most `together`.
  void apply (int64_t width, int64_t begin, int64_t end, float *scratch, float *values) const;

private:
  int64_t angles;
  std::vector<float> weights, cosines, sines;
};

} // namespace sino::remove_stripes
