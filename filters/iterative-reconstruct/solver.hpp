// SPDX-License-Identifier: LGPL-3.0-or-later
// Solves slices in the lanes of a stack, or in three dimensions of several ones, and keeps them until the next ones.
#pragma once
#include "filters/iterative-reconstruct/iteration.hpp"
#include "filters/iterative-reconstruct/report.hpp"
#include "filters/iterative-reconstruct/start.hpp"
#include "glue/task.hpp"
#include "kernels/iterate/noise.hpp"
#include "kernels/iterate/normal.hpp"
#include "stream/rows.hpp"

namespace sino::iterative_reconstruct {

// Sinograms for the lanes of a stack, in their order: of several blocks, or a single one.
using StackInput = std::vector<iterate::Sinograms>;

class Solver
{
public:
  // The problem is stored in the task.
  Solver (const Replica &replica, const Problem &problem);
  // Memory of a solver whose sinograms have so many lanes side by side.
  static void memory (const Problem &problem, int threads, int lanes, Bill &bill);

  // A slice for each sinogram, or one for each strength of the only sinogram. At most Problem::stacks () stacks.
  // `told`: slices that the report counts.
  void solve (std::span<const StackInput> inputs, std::span<const double> strengths, Interval told);
  // Fills dense slices of the region with those of a stack; null: not wanted.
  void give (size_t stack, std::span<float *const> slices);
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
  std::vector<iterate::Memory> memories; // of stacks
  std::vector<uint32_t> broken;          // of stacks: lanes with values that are not finite, as bits

  using Make = std::function<void (const fourier_reconstruct::Bins &, std::span<float *const>)>;
  void on_all (int64_t n, const std::function<void (int64_t i, float *work)> &body);
  Lanes load (size_t stack, const StackInput &input, std::span<const double> strengths);
  uint32_t fill (float *image, const StackInput &input, int slices, const Make &make);
  fourier_reconstruct::Bins bins_of (const iterate::Sinograms &sinograms);
  void join (std::span<Lanes> stacks);
};

} // namespace sino::iterative_reconstruct
