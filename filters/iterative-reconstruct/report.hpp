// SPDX-License-Identifier: LGPL-3.0-or-later
// Tells at the end of a run what the iterations did.
#pragma once
#include "filters/iterative-reconstruct/iteration.hpp"
#include "glue/task.hpp"
#include <vector>

namespace sino::iterative_reconstruct {

class Report
{
public:
  Report (Messages &m, const Solving &s) : messages (m), solving (s) {}

  // `broken`: lanes without a result, as bits.
  void add (const Lanes &lanes, int iterations, const Problem &problem, uint32_t broken);
  void tell ();

private:
  Messages &messages;
  const Solving &solving;
  std::vector<double> noises, changes, residuals; // of slices
  int most = 0;                                   // iterations
};

} // namespace sino::iterative_reconstruct
