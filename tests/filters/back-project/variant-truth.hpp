// SPDX-License-Identifier: LGPL-3.0-or-later
// Scans of noise with all that may be uneven, and their regions by definition in double.
#pragma once
#include "base/half.hpp"
#include "kernels/back-project/back-project.hpp"
#include "kernels/half-pack/half-pack.hpp"
#include "tests/filters/back-project/truth.hpp"
#include <map>
#include <tuple>

namespace sino::test {

// Values in [-1, 1), angles over two turns in any order, and for each projection an axis, which may be outside the
// detector, and a weight. With `half` the values are halves.
struct UnevenScan : NoiseScan {
  std::vector<float> floats;
  std::vector<uint16_t> halves;
  std::vector<back_project::Ray> rays;

  UnevenScan (int64_t slices, int64_t projections, int64_t width, bool half)
      : NoiseScan (slices, projections, width, static_cast<unsigned> (width + projections)),
        floats (values.begin (), values.end ()), halves (values.size ())
  {
    half_pack::half_pack (floats.data (), std::ssize (floats), halves.data ());
    if (half)
      std::transform (halves.begin (), halves.end (), values.begin (), half_to_float);
    std::mt19937 random (7);
    const auto number = [&random] (double low, double high) { return low + (high - low) * random () * 0x1p-32; };
    for (size_t k = 0; k < angles.size (); k++) {
      axis[k] = static_cast<double> (width) * number (-0.1, 1.1);
      const auto weight = static_cast<float> (number (0.5, 1.5));
      weights[k] = static_cast<double> (weight);
      rays.push_back ({std::cos (angles[k]), std::sin (angles[k]), axis[k] - 0.5, weight});
    }
  }
};

// [slice][y][x] of a region. NaN where a ray passes so near to a border of bins (of points) that rounding decides.
inline std::vector<double> truth_of (const UnevenScan &scan, const back_project::Roi &roi,
                                     back_project::Interpolation interpolation)
{
  using enum back_project::Interpolation;
  const auto pixels = static_cast<size_t> (roi.width * roi.height);
  std::vector<double> sums (static_cast<size_t> (scan.rows) * pixels);
  for (size_t i = 0; i < pixels; i++)
    for (int64_t k = 0; k < scan.projections (); k++) {
      const auto n = static_cast<int64_t> (i);
      double u = scan.seen_at (k, roi.x + n % roi.width, roi.y + n / roi.width) - 0.5;
      const double border = interpolation == nearest ? u : 4 * u, off = std::abs (border - std::round (border));
      const bool near = interpolation != linear && off > 0.5 - 1e-3;
      if (interpolation == nearest)
        u = std::round (u);
      else if (interpolation == oversample)
        u = std::round (4 * u) / 4;
      const double left = std::floor (u), weight = scan.weights[static_cast<size_t> (k)];
      const auto bin = static_cast<int64_t> (left);
      for (int64_t row = 0; row < scan.rows; row++)
        sums[static_cast<size_t> (row) * pixels + i] +=
            near ? NAN
                 : weight * ((left + 1 - u) * scan.value (row, k, bin) + (u - left) * scan.value (row, k, bin + 1));
    }
  return sums;
}

// Both are made once for all cases that share them.
class Truths
{
public:
  static constexpr int64_t most_slices = 17;

  const UnevenScan &scan (int64_t projections, int64_t width, bool half)
  {
    return scans.try_emplace ({projections, width, half}, most_slices, projections, width, half).first->second;
  }

  const std::vector<double> &region (const UnevenScan &scan, const back_project::Roi &roi,
                                     back_project::Interpolation interpolation)
  {
    auto &kept = regions[{&scan, roi.x, roi.y, roi.width, interpolation}];
    if (kept.empty ())
      kept = truth_of (scan, roi, interpolation);
    return kept;
  }

private:
  std::map<std::tuple<int64_t, int64_t, bool>, UnevenScan> scans;
  std::map<std::tuple<const UnevenScan *, int64_t, int64_t, int64_t, back_project::Interpolation>, std::vector<double>>
      regions;
};

} // namespace sino::test
