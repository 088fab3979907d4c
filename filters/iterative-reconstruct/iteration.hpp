// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterates a stack, or for TV in three dimensions the stacks of a window, from the start to the slices.
#pragma once
#include "device/cpu.hpp"
#include "filters/iterative-reconstruct/problem.hpp"
#include "kernels/iterate/window.hpp"
#include <array>
#include <functional>
#include <span>

namespace sino::iterative_reconstruct {

// What is known of the slices of a stack, for each lane.
struct Lanes {
  int used;                                             // lanes with a slice
  std::array<double, iterate::most_lanes> strength{};   // of TV
  std::array<double, iterate::most_lanes> noise{};      // standard deviation of a value of the sinogram
  uint32_t from_flats = 0;                              // lanes whose noise the flats have told, as bits
  std::array<double, iterate::most_lanes> square{};     // |b|^2 / projections, weighted as c
  std::array<double, iterate::most_lanes> change{};     // of the last iteration, as a share: Solving::tolerance
  std::array<double, iterate::most_lanes> difference{}; // |A x - b|^2 / projections of the last slice but one
  uint32_t broken = 0; // lanes with values that are not finite, as bits: nothing depends on their slices
  uint32_t joined = 0; // TV in three dimensions: lanes whose slice has another one behind it, as bits

  // Takes the slices of other lanes behind its own.
  void append (const Lanes &others);
  // One slice for each strength, if there are several: all of the only sinogram.
  void spread (std::span<const double> strengths);
};

class Iteration
{
public:
  // Runs body (i, work) for i of [0, n) on all threads, each with memory for the stages.
  using Parts = std::function<void (int64_t n, const std::function<void (int64_t i, float *work)> &body)>;

  // Called after each iteration, with its number from 1 on.
  using Done = std::function<void (int count, std::span<const Lanes> stacks)>;

  // `weight_of_noise`: Problem::weight_of_noise (). One memory for each stack.
  Iteration (const Solving &solving, double weight_of_noise, const iterate::Plan &plan,
             std::span<const iterate::Memory> memories, Parts parts, Done done);

  // From `x` and `data` of the memories to `x`. Returns the number of iterations.
  int run (std::span<Lanes> stacks);

private:
  using PerLane = std::array<double, iterate::most_lanes>;

  const Solving &solving;
  const double weight_of_noise;
  const iterate::Plan &plan;
  const std::span<const iterate::Memory> memories;
  const Parts parts;
  const Done done;

  int run_tv (Lanes &lanes);
  int run_cgls (Lanes &lanes);
  int run_window (std::span<Lanes> stacks);
  void iterate_window (const iterate::Cosines &cosines, std::span<Lanes> stacks,
                       std::span<const iterate::TvSteps> steps);
  iterate::TvSteps tv_steps (const Lanes &lanes) const;
  void take_energy (const iterate::Memory &memory, const iterate::TvSteps &steps, Lanes &lanes);
  void convolve (const iterate::Memory &memory);
  void divide (const iterate::Memory &memory);
  PerLane sums (const iterate::Memory &memory, PerLane *second = nullptr);
};

} // namespace sino::iterative_reconstruct
