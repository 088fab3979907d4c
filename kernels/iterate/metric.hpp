// SPDX-License-Identifier: LGPL-3.0-or-later
// What the gradient's frequencies are multiplied by in iterations: about the inverse of T, as a convolution with a
// period of n (T. Chan, *An optimal circulant preconditioner for Toeplitz systems*, SIAM J. Sci. Stat. Comput. 9, 766,
// 1988: each value is the mean of the values of T that a period brings together).
//
// The method of TV converges if  D >= T / 2 + sigma (grad^T grad + positive)  for the metric 1 / D. D is a S + 1.1
// sigma (laplacian + positive), where S is Chan's circulant, and at least half of the mean density of rays, so that
// directions without rays have steps, too. a = 2.5 is enough for up to nine columns per projection. With fewer
// projections the largest eigenvalue of D^(-1/2) (T / 2 + ...) D^(-1/2) is found (Lanczos), and D is multiplied by it.
#pragma once
#include "kernels/iterate/normal.hpp"

namespace sino::iterate {

constexpr double safe_columns_per_projection = 9;

// S over size x size. `radius`: of the circle outside of which slices are 0.
std::vector<float> circulant_of (const Lags &lags, double radius, const Cpu &cpu);

// The metric of TV, 1 / D. `frequencies`: of normal_frequencies ().
std::vector<float> tv_metric (const Lags &lags, std::span<const float> frequencies, double radius,
                              double columns_per_projection, const Cpu &cpu);

} // namespace sino::iterate
