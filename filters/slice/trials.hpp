// SPDX-License-Identifier: LGPL-3.0-or-later
// The same rows reconstructed with one axis after the other, by the native Fourier reconstruction. Axes only turn the
// phases of what rays become, so sorting, tables and memory are those of a single slice.
#pragma once
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include <vector>

namespace sino::slice {

class Trials
{
public:
  // The rays of the job say directions and weights, and `least` and `most` where axes lie.
  Trials (const fourier_reconstruct::Job &job, double least, double most, const Cpu &cpu, const Monitor &monitor,
          Allotment &memory);
  Trials (const Trials &) = delete;
  Trials &operator= (const Trials &) = delete;

  static void memory (const fourier_reconstruct::Job &job, double least, double most, int threads, Bill &bill);

  // `slices` as Reconstructor::run () has them.
  void make (double axis, const fourier_reconstruct::Bins &bins, std::span<float *const> slices);

private:
  std::vector<back_project::Ray> rays; // those of the stack
  fourier_reconstruct::StackPlan stack;
  const Cpu &cpu;
  const Monitor &monitor;
  fourier_reconstruct::Reconstructor reconstructor;
};

} // namespace sino::slice
