// SPDX-License-Identifier: LGPL-3.0-or-later
// The axis of a sinogram with which its slice is the sharpest.
//
// The way is that of Donath, Beckmann and Schreyer 2006 (JOSA A 23, 1048): slices for axes that are tried get a score.
// The score is device/sharpness.hpp. The search goes from coarse columns to fine ones: of a row in about 64 bins all
// places are tried, of finer ones those around the best.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "filters/find-axis/mirror.hpp"
#include "kernels/back-project/back-project.hpp"
#include <optional>
#include <span>
#include <vector>

namespace sino::find_axis {

class FocusSearch
{
public:
  // For sinograms of so many columns, with a row for each angle, in radians. The finest bins are at most so many, and
  // an axis is exact to `exact` of their width.
  FocusSearch (std::span<const double> angles, int64_t columns, int64_t most_bins, double exact);

  // The sinogram, rows in the order of angles. Nothing, where no place is better than those beside it.
  std::optional<Match> find (const float *sinogram, const Cpu &cpu, const Monitor &monitor) const;

  size_t bytes (int threads) const;

private:
  // Columns in bins, with bins beyond the borders, and every so many-th row.
  struct Level {
    int64_t bin, columns, beyond, stride;
    int64_t width () const { return columns + 2 * beyond; }
  };

  // Axes, in bins.
  struct Places {
    double first, step;
    int count;
    double at (double i) const { return first + step * i; }
  };

  std::vector<back_project::Ray> rays;
  int64_t columns, most_bins;
  double exact;

  Level level (int64_t bin, bool coarsest) const;
  std::vector<back_project::Ray> rays_of (const Level &level) const;
  std::vector<float> binned (const Level &level, const float *sinogram, const Cpu &cpu) const;
  std::vector<double> scores (const Level &level, const float *sinogram, const Places &places, const Cpu &cpu,
                              const Monitor &monitor) const;
};

} // namespace sino::find_axis
