// SPDX-License-Identifier: LGPL-3.0-or-later
// What 'sinograph tune' and benchmarks try of a family on a device.
#pragma once
#include "families/proposals.hpp"

namespace sino::families {

struct Candidate {
  Setting setting;
  int lanes;

  SINO_VISIBLE std::string text () const; // "local(PIXELS=8), 4 lanes"
  friend bool operator== (const Candidate &, const Candidate &) = default;
};

// What may run on the device, the most promising first: what is proposed, then every kernel with the lanes that are
// asked for, or with all that the rows fill if problem.lanes is 0; the references last.
SINO_VISIBLE std::vector<Candidate> first_candidates (const OpenclDevice &device, const Family &family,
                                                      const Problem &problem);
// The same kernel with another value of one parameter.
SINO_VISIBLE std::vector<Candidate> candidates_near (const OpenclDevice &device, const Problem &problem,
                                                     const Candidate &candidate);
// The plainest, which gives the right result on every device.
SINO_VISIBLE Candidate reference_of (const Family &family, const Problem &problem);
// Every kernel as the table has it for the device, else as it is by itself, with every number of lanes; first the
// family's baseline, where the device can run it.
SINO_VISIBLE std::vector<Candidate> usual_candidates (const Family &family, const OpenclFacts &facts,
                                                      const Problem &problem);

} // namespace sino::families
