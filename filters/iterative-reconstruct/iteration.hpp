// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterates one stack from its start to its slices.
#pragma once
#include "device/cpu.hpp"
#include "filters/iterative-reconstruct/problem.hpp"
#include "kernels/iterate/stack.hpp"
#include <array>
#include <functional>
#include <span>

namespace sino::iterative_reconstruct {

// What is known of the slices of a stack, for each lane.
struct Lanes {
  int used;                                             // lanes with a slice
  std::array<double, iterate::most_lanes> strength{};   // of TV
  std::array<double, iterate::most_lanes> noise{};      // standard deviation of a value of the sinogram
  std::array<double, iterate::most_lanes> square{};     // |b|^2 / projections, weighted as c
  std::array<double, iterate::most_lanes> change{};     // of the last iteration, as a share: Solving::tolerance
  std::array<double, iterate::most_lanes> difference{}; // |A x - b|^2 / projections of the last slice but one

  // One slice for each strength, if there are several: all of the only sinogram.
  void spread (std::span<const double> strengths);
};

class Iteration
{
public:
  // Runs body (i, work) for i of [0, n) on all threads, each with memory for the stages.
  using Parts = std::function<void (int64_t n, const std::function<void (int64_t i, float *work)> &body)>;

  // Called after each iteration, with its number from 1 on.
  using Done = std::function<void (int count, const Lanes &lanes)>;

  // `weight_of_noise`: Problem::weight_of_noise ().
  Iteration (const Solving &solving, double weight_of_noise, const iterate::Plan &plan, const iterate::Memory &memory,
             Parts parts, Done done);

  // From `x` and `data` of the memory to `x`. Returns the number of iterations.
  int run (Lanes &lanes);

private:
  const Solving &solving;
  const double weight_of_noise;
  const iterate::Plan &plan;
  const iterate::Memory &memory;
  const Parts parts;
  const Done done;

  int run_tv (Lanes &lanes);
  int run_cgls (Lanes &lanes);
  void convolve ();
  void divide ();
  std::array<double, iterate::most_lanes> sums (std::array<double, iterate::most_lanes> *second = nullptr);
};

} // namespace sino::iterative_reconstruct
