// SPDX-License-Identifier: LGPL-3.0-or-later
// The metric that divides gradients of a volume: a convolution in slices, with cosines along z (kernels/iterate).
#pragma once
#include "device/fft.hpp"
#include "filters/iterative-cone-reconstruct/space.hpp"
#include "kernels/iterate/stack.hpp"
#include <hwy/aligned_allocator.h>

namespace sino::iterative_cone_reconstruct {

class Metric
{
public:
  // D = density times the mean density of rays, plus `gradient` times what the duals' steps need.
  Metric (const footprint::Scene &scene, double density, double gradient, const Cpu &cpu, const Monitor &monitor);

  static size_t bytes (const footprint::Scene &scene, int threads);

  // Divides a volume by D, in place.
  void apply (float *volume);

private:
  const footprint::Scene &scene;
  const Cpu &cpu;
  const Monitor &monitor;
  const double gradient;
  iterate::Plan plan;
  const iterate::Floats floats;
  const Fft along;
  const hwy::AlignedFreeUniquePtr<float[]> frequencies; // of a stack
  iterate::Memory memory{};

  void cosines (float *volume, bool back) const;
  void divide_stack (float *volume, int64_t first);
};

// The factor of the mean density with which TV converges: the largest eigenvalue of T / 2 in the metric of the density
// alone, found with the coarse scan.
double density_factor (const Problem &problem, const Cpu &cpu, const Monitor &monitor);
size_t density_factor_bytes (const Problem &problem, int threads);
double density_factor_updates (const Problem &problem); // of voxels, by all projections and back-projections

} // namespace sino::iterative_cone_reconstruct
