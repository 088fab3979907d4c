// SPDX-License-Identifier: LGPL-3.0-or-later
// The gridding that iterations begin with, and what it multiplies the frequencies of rows by.
#pragma once
#include "device/cpu.hpp"
#include "filters/iterative-reconstruct/problem.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"

namespace sino::iterative_reconstruct {

// The rays are those of the problem.
fourier_reconstruct::Job gridding_job (const Problem &problem);

struct Responses {
  std::vector<float> of_filter;  // of filtered back-projection: [padded / 2 + 1]
  std::vector<float> of_adjoint; // of c = A^T b / projections: the same for each ray
};
// `gridding`: of the job.
Responses responses_of (const Problem &problem, fourier_reconstruct::Gridding gridding, const Cpu &cpu);

} // namespace sino::iterative_reconstruct
