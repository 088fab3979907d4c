// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/iterate/window.hpp"
#include "base/divide-up.hpp"
#include "kernels/iterate/steps.hpp"
#include <cmath>
#include <numbers>

namespace sino::iterate {

// N. Ahmed, T. Natarajan, K. R. Rao, IEEE Trans. Comput. C-23, 90, 1974.
Cosines::Cosines (int64_t n)
    : slices (n), width (round_up (n, static_cast<int64_t> (stack_lanes ()))),
      forward (static_cast<size_t> (width * width), 0.0F), back (forward), added (static_cast<size_t> (width), 0.0F)
{
  const auto turn = std::numbers::pi / static_cast<double> (n);
  for (int64_t k = 0; k < n; k++) {
    const double norm = std::sqrt ((k > 0 ? 2.0 : 1.0) / static_cast<double> (n));
    for (int64_t z = 0; z < n; z++) {
      const double angle = turn * static_cast<double> (k) * (static_cast<double> (z) + 0.5);
      const auto value = static_cast<float> (norm * std::cos (angle));
      forward[static_cast<size_t> (z * width + k)] = back[static_cast<size_t> (k * width + z)] = value;
    }
  }
  for (int64_t k = 0; k < width; k++) {
    const double laplacian = 2 - 2 * std::cos (turn * static_cast<double> (std::min (k | 1, n - 1)));
    added[static_cast<size_t> (k)] =
        static_cast<float> (margin_of_gradient * static_cast<double> (dual_step) * laplacian);
  }
}

} // namespace sino::iterate
