// SPDX-License-Identifier: LGPL-3.0-or-later
// The largest eigenvalue of  M^(1/2) (T / 2 + sigma (grad^T grad + positive)) M^(1/2)  for slices in a circle, which
// must not exceed 1 for TV to converge. By 40 steps of Lanczos' method: power iteration underestimates it.
#pragma once
#include "kernels/iterate/normal.hpp"

namespace sino::iterate {

// `frequencies`: T's, of normal_frequencies (); `metric`: size x size.
double largest_eigenvalue (int64_t size, std::span<const float> frequencies, std::span<const float> metric,
                           double radius, const Cpu &cpu);

// The largest eigenvalue of a symmetric matrix with these diagonals: the number above which no sign changes (Sturm).
double largest_of (const std::vector<double> &diagonal, const std::vector<double> &beside);

} // namespace sino::iterate
