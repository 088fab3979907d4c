// SPDX-License-Identifier: LGPL-3.0-or-later
// The largest eigenvalue of  M^(1/2) (T / 2 + sigma (grad^T grad + positive)) M^(1/2)  for slices in a circle, which
// must not exceed 1 for TV to converge. By 40 steps of Lanczos' method: power iteration underestimates it.
#pragma once
#include "kernels/iterate/normal.hpp"

namespace sino::iterate {

double largest_eigenvalue (const Lags &lags, std::span<const float> metric, double radius, const Cpu &cpu);

} // namespace sino::iterate
