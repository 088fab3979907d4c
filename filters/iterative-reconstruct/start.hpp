// SPDX-License-Identifier: LGPL-3.0-or-later
// What iterations begin with, by gridding: c = A^T b / projections, and the slices of filtered back-projection.
#pragma once
#include "filters/iterative-reconstruct/responses.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"

namespace sino::iterative_reconstruct {

class Start
{
public:
  Start (const Problem &problem, kernels::VectorSet vectors, const Cpu &cpu, const Monitor &monitor, Allotment &memory);

  // `lent`: floats that lend () will give. If they are too few, the start takes memory of its own.
  static void memory (const Problem &problem, kernels::VectorSet vectors, size_t lent, int threads, Bill &bill);

  // Memory that nobody uses between begin () and the last image that is filled.
  void lend (std::span<float> memory);
  void begin () { reconstructor.clear_lent (cpu); }

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
