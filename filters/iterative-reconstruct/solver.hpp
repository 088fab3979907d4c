// SPDX-License-Identifier: LGPL-3.0-or-later
// Solves a stack of slices in lanes, and keeps it until the next one.
#pragma once
#include "filters/iterative-reconstruct/iteration.hpp"
#include "filters/iterative-reconstruct/report.hpp"
#include "filters/iterative-reconstruct/start.hpp"
#include "glue/task.hpp"
#include "kernels/iterate/noise.hpp"
#include "kernels/iterate/normal.hpp"

namespace sino::iterative_reconstruct {

class Solver
{
public:
  // The problem is stored in the task.
  Solver (const Replica &replica, const Problem &problem);
  // Memory of a solver whose sinograms have so many lanes side by side.
  static void memory (const Problem &problem, int threads, int lanes, Bill &bill);

  // A slice for each sinogram, or one for each strength of the only sinogram. At most stack_lanes () slices.
  void solve (const iterate::Sinograms &sinograms, std::span<const double> strengths);
  // Fills dense slices of the region with those of the stack; null: not wanted.
  void give (std::span<float *const> slices);
  void end () { report.tell (); }

private:
  const Problem &problem;
  const Cpu &cpu;
  Allotment &allotment;
  Report report;
  Start start;
  const iterate::Lags lags;
  const iterate::Plan plan;
  const Allotment::Piece images, sums;
  Allotment::Piece continued;
  iterate::Memory memory_{};
  uint32_t broken = 0; // lanes with values that are not finite, as bits

  using Make = std::function<void (std::span<float *const>)>;
  void on_all (int64_t n, const std::function<void (int64_t i, float *work)> &body);
  uint32_t fill (float *image, int sinograms, int slices, const Make &make);
  fourier_reconstruct::Bins bins_of (const iterate::Sinograms &sinograms);
};

} // namespace sino::iterative_reconstruct
