// SPDX-License-Identifier: LGPL-3.0-or-later
// What iterations begin with, by gridding: c = A^T b / projections, and the slices of filtered back-projection.
#pragma once
#include "filters/iterative-reconstruct/responses.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"

namespace sino::iterative_reconstruct {

class Start
{
public:
  Start (const Problem &problem, const Cpu &cpu, const Monitor &monitor, Allotment &memory);

  static void memory (const Problem &problem, int threads, Bill &bill);

  int64_t padded () const { return stack.gridding.padded; }
  // Fill dense images, one for each lane.
  void adjoint (const fourier_reconstruct::Bins &bins, std::span<float *const> images);
  void filtered (const fourier_reconstruct::Bins &bins, std::span<float *const> images);

private:
  const Cpu &cpu;
  const Monitor &monitor;
  fourier_reconstruct::StackPlan stack;
  fourier_reconstruct::Reconstructor reconstructor;
  Responses responses;

  void run (std::vector<float> &response, const fourier_reconstruct::Bins &bins, std::span<float *const> images);
};

} // namespace sino::iterative_reconstruct
