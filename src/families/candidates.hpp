// SPDX-License-Identifier: LGPL-3.0-or-later
// Candidates: kernels of a family, with parameters and lanes, that 'sinograph tune' and benchmarks try on a device.
#pragma once
#include "families/proposals.hpp"

namespace sino::families {

struct Candidate {
  Setting setting;
  int lanes;

  SINO_VISIBLE std::string text () const; // "local(PIXELS=8), 4 lanes"
  friend bool operator== (const Candidate &, const Candidate &) = default;
};

// Candidates that the device can run, the most promising first: proposed kernels, then every kernel with each possible
// number of lanes (only problem.lanes if that is not 0). References come last.
SINO_VISIBLE std::vector<Candidate> first_candidates (const OpenclDevice &device, const Family &family,
                                                      const Problem &problem);
// The same kernel with another value of one parameter, for each parameter and value.
SINO_VISIBLE std::vector<Candidate> candidates_near (const OpenclDevice &device, const Problem &problem,
                                                     const Candidate &candidate);
// The family's reference, which gives the right result on every device.
SINO_VISIBLE Candidate reference_of (const Family &family, const Problem &problem);
// Every kernel with every number of lanes, with its parameters from the table for the device, or else with default
// parameters. The first one is the family's baseline if the device can run it.
SINO_VISIBLE std::vector<Candidate> usual_candidates (const Family &family, const OpenclFacts &facts,
                                                      const Problem &problem);

} // namespace sino::families
