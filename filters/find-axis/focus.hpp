// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the axis of a sinogram for which its slice is the sharpest.
//
// The method is that of Donath, Beckmann and Schreyer 2006 (JOSA A 23, 1048): slices for trial axes get a score, which
// device/sharpness.hpp computes. The search goes from coarse to fine: with rows of about 64 bins all positions are
// tried, with finer bins only those around the best one.
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
  // `angles`: in radians, one for each row of the sinograms; `columns`: number of columns of a row; `most_bins`:
  // largest number of bins. The axis is exact to `exact` times the width of the finest bins.
  FocusSearch (std::span<const double> angles, int64_t columns, int64_t most_bins, double exact);

  // Rows of the sinogram are in the order of the angles. Empty if no position is better than its neighbours.
  std::optional<Match> find (const float *sinogram, const Cpu &cpu, const Monitor &monitor) const;

  size_t bytes (int threads) const;

private:
  // A resolution: columns per bin, bins, additional bins beyond each border, and the step between rows.
  struct Level {
    int64_t bin, columns, beyond, stride;
    int64_t width () const { return columns + 2 * beyond; }
  };

  // Positions of trial axes, in bins.
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
