// SPDX-License-Identifier: LGPL-3.0-or-later
// Tells what the iterations do: where a long run is, and at the end what all did.
#pragma once
#include "filters/iterative-cone-reconstruct/problem.hpp"
#include "filters/iterative-reconstruct/change.hpp"
#include "filters/iterative-reconstruct/due.hpp"
#include "glue/task.hpp"

namespace sino::iterative_cone_reconstruct {

using iterative_reconstruct::share_of;

// What a method did.
struct Outcome {
  int iterations;
  double change;   // of the last iteration, as a share of the volume's norm; of cgls: what is left of the gradient
  double residual; // |A x - b|^2 of the volume before the last iteration
};

// The noise of a value of the projections.
struct FoundNoise {
  double deviation;   // standard
  const char *source; // for messages
};

class Report
{
public:
  // `method`: its name. Projections, and with them the noise, were multiplied by `scale`.
  Report (const Replica &replica, const Problem &problem, const char *method, FoundNoise noise, double scale);

  // Counts an iteration, and tells of it when it is due.
  void step (const Outcome &outcome);
  void tell (const Outcome &outcome) const;

private:
  Messages &messages;
  Counters &counters;
  const Problem &problem;
  const char *const method;
  const FoundNoise noise;
  const double scale;
  iterative_reconstruct::Due due;

  std::string words (const Outcome &outcome) const;
};

} // namespace sino::iterative_cone_reconstruct
