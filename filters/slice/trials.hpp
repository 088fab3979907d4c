// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs the same rows with several axes, one after the other, with the native Fourier reconstruction. The axis
// only changes the phases of rays, so sorting, tables and memory are those of a single slice.
#pragma once
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include <vector>

namespace sino::slice {

class Trials
{
public:
  // The rays of the job give directions and weights. Axes lie between `least` and `most`.
  Trials (const fourier_reconstruct::Job &job, double least, double most, const Cpu &cpu, const Monitor &monitor,
          Allotment &memory);

  static void memory (const fourier_reconstruct::Job &job, double least, double most, int threads, Bill &bill);

  // `slices`: see Reconstructor::run ().
  void make (double axis, const fourier_reconstruct::Bins &bins, std::span<float *const> slices);

private:
  std::vector<back_project::Ray> rays; // rays of the stack
  fourier_reconstruct::StackPlan stack;
  const Cpu &cpu;
  const Monitor &monitor;
  fourier_reconstruct::Reconstructor reconstructor;
};

} // namespace sino::slice
