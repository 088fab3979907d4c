// SPDX-License-Identifier: LGPL-3.0-or-later
// Tells what the iterations do: where a long run is, and at the end what all did.
#pragma once
#include "filters/iterative-cone-reconstruct/problem.hpp"
#include "glue/task.hpp"
#include <chrono>

namespace sino::iterative_cone_reconstruct {

// What a method did.
struct Outcome {
  int iterations;
  double change;   // of the last iteration, as a share of the volume's norm; of cgls: what is left of the gradient
  double residual; // |A x - b|^2 of the volume before the last iteration
};

class Report
{
public:
  // `method`: its name; `noise`: standard deviation of a value of the projections, which were multiplied by `scale`.
  Report (const Replica &replica, const Problem &problem, const char *method, double noise, double scale);

  // Counts an iteration, and tells of it 5 s after the begin, then after twice the time each.
  void step (const Outcome &outcome);
  void tell (const Outcome &outcome) const;

private:
  using Clock = std::chrono::steady_clock;

  Messages &messages;
  Counters &counters;
  const Problem &problem;
  const char *const method;
  const double noise, scale;
  const Clock::time_point begin = Clock::now ();
  Clock::time_point next = begin + std::chrono::seconds (5);

  std::string words (const Outcome &outcome) const;
};

} // namespace sino::iterative_cone_reconstruct
