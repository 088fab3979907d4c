// SPDX-License-Identifier: LGPL-3.0-or-later
// Tells what the iterations do: where a long run is, and at the end what all did.
#pragma once
#include "filters/iterative-reconstruct/due.hpp"
#include "filters/iterative-reconstruct/iteration.hpp"
#include "glue/task.hpp"
#include <vector>

namespace sino::iterative_reconstruct {

class Report
{
public:
  Report (Messages &m, Counters &c, const Problem &p) : messages (m), counters (c), problem (p) {}

  // Counts an iteration of stacks, and tells of it when it is due.
  void step (int count, std::span<const Lanes> stacks);
  // `left_out`: lanes without a result, as bits.
  void add (const Lanes &lanes, int iterations, uint32_t left_out);
  void tell ();

private:
  // Noise, change and residual of each slice.
  struct Values {
    std::vector<double> noises, changes, residuals;
    size_t from_flats = 0; // slices whose noise the flats have told
  };

  Messages &messages;
  Counters &counters;
  const Problem &problem;
  Values all;
  int most = 0; // iterations
  Due due;

  void add_to (Values &values, const Lanes &lanes, uint32_t left_out) const;
  std::string words (Values values) const;
  std::string source_of_noise () const;
};

} // namespace sino::iterative_reconstruct
