// SPDX-License-Identifier: LGPL-3.0-or-later
// Tells what the iterations do: where a long run is, and at the end what all did.
#pragma once
#include "filters/iterative-reconstruct/iteration.hpp"
#include "glue/task.hpp"
#include <chrono>
#include <vector>

namespace sino::iterative_reconstruct {

class Report
{
public:
  Report (Messages &m, Counters &c, const Problem &p) : messages (m), counters (c), problem (p) {}

  // Counts an iteration of a stack, and tells of it 5 s after the begin, then after twice the time each.
  void step (int count, const Lanes &lanes);
  // `broken`: lanes without a result, as bits.
  void add (const Lanes &lanes, int iterations, uint32_t broken);
  void tell ();

private:
  using Clock = std::chrono::steady_clock;

  // Of slices.
  struct Values {
    std::vector<double> noises, changes, residuals;
  };

  Messages &messages;
  Counters &counters;
  const Problem &problem;
  Values all;
  int most = 0; // iterations
  const Clock::time_point begin = Clock::now ();
  Clock::time_point next = begin + std::chrono::seconds (5);

  void add_to (Values &values, const Lanes &lanes, uint32_t broken) const;
  std::string words (Values values) const;
};

} // namespace sino::iterative_reconstruct
