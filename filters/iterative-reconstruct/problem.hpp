// SPDX-License-Identifier: LGPL-3.0-or-later
// What a node has to solve, settled by negotiation.
#pragma once
#include "kernels/back-project/back-project.hpp"
#include "kernels/iterate/noise.hpp"
#include "kernels/vector-set.hpp"
#include <cstdint>
#include <optional>
#include <vector>

namespace sino::iterative_reconstruct {

using back_project::Ray;
using back_project::Roi;

enum class Method { tv, cgls };

struct Solving {
  Method method;
  std::vector<double> strengths; // of TV, in units of the noise: one, or one for each of several slices of one row
  std::optional<double> noise;   // standard deviation of a sinogram's values; none: found in each sinogram
  int iterations;
  // A slice is finished when an iteration changes it by less, as a share of its norm; with CGLS, when the norm of the
  // gradient is less than this share of the first one. 0: never.
  double tolerance;
  bool non_negative;
  bool deep; // TV in three dimensions

  bool tries () const { return strengths.size () > 1; }
};

struct Problem {
  int64_t columns;       // bins of a row; slices have as many columns and rows
  int64_t size;          // columns and rows of images: a length that the kernels can transform
  int64_t margin;        // bins before a row if it is continued beyond its ends, to `size` bins in all; -1: it is not
  std::vector<Ray> rays; // as images see them: origins in rows with their margin, weights with a sum of 1
  Roi roi;
  bool mask;
  double pixel_size;
  int64_t row;    // for several strengths: the index of the row in the stream
  int64_t window; // slices that are iterated together in three dimensions, at most
  Solving solving;

  // Where pixel 0 of a slice is in an image.
  int64_t corner () const { return size / 2 - columns / 2; }
  // Pixel i of an image has its centre at i - size / 2 + shift ().
  double shift () const { return columns % 2 ? 0 : 0.5; }
  // Outside of this circle, slices are 0.
  double radius () const { return 0.495 * static_cast<double> (margin < 0 ? columns : size); }
  // Sinograms of the scan, [angle][column][stride]. `known`: the noise of each lane; empty: nothing is known.
  iterate::Sinograms sinograms (const float *values, int64_t stride, int lanes,
                                std::span<const iterate::ValueNoise> known = {}) const;
  // Stacks that a solver has at once.
  int64_t stacks () const;
  // For sinograms that have so many lanes side by side. Strengths and windows fill whole stacks.
  kernels::VectorSet vectors (int lanes) const;
  // TV's lambda for noise with a standard deviation of 1. `middle`: T at the lag 0.
  double weight_of_noise (double middle) const;
  double columns_per_projection () const { return static_cast<double> (columns) / static_cast<double> (rays.size ()); }
};

// Rays of scans, whose weights have a sum of pi, as images see them. Truncated rows are continued on a grid that is a
// quarter larger.
Problem problem_of (int64_t columns, bool truncated, std::vector<Ray> rays);

} // namespace sino::iterative_reconstruct
