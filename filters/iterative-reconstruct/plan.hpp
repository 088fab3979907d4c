// SPDX-License-Identifier: LGPL-3.0-or-later
// T and its metric in frequencies, which all slices of a problem share.
#pragma once
#include "device/cpu.hpp"
#include "filters/iterative-reconstruct/problem.hpp"
#include "kernels/iterate/normal.hpp"
#include "kernels/iterate/stack.hpp"

namespace sino::iterative_reconstruct {

iterate::Plan plan_of (const Problem &problem, const iterate::Lags &lags, const Cpu &cpu,
                       kernels::VectorSet vectors = iterate::vectors_for (iterate::most_lanes));

} // namespace sino::iterative_reconstruct
