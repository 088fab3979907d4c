// SPDX-License-Identifier: LGPL-3.0-or-later
// How fast kernels can be: what an update of a pixel by a ray asks of the units of a device, against what these do in a
// second. S. Chilingaryan et al. 2019, section 6.5.
#pragma once
#include "families/family.hpp"

namespace sino::back_project {

using families::Prediction, families::Problem, families::Proposal, families::Setting;

// The kernel that computes from local memory, in the paper's terms.
struct LocalWork {
  int items;          // work-items of a group
  int pixels;         // n_q, of each
  int lanes;          // n_v
  int fillers;        // s_t, work-items that copy one ray
  bool advanced;      // bins are pairs of value and difference
  bool half = false;  // bins are halves in local memory
  bool round = false; // rounds by additions instead of conversions
};
LocalWork local_work (const Setting &setting, int lanes);

// What an update with linear interpolation takes.
struct Load {
  double constant = 0, shared = 0;       // bytes
  double fp = 0, convert = 0, shift = 0; // operations; a multiplication with addition is one
  double half = 0;                       // conversions of halves
  double memory_instructions = 0;        // instructions that load or store
};
Load load_of (const LocalWork &work);

// What a device or a part of it does in a second or a cycle. 0: not counted.
struct Rates {
  enum class Unit { alu, sfu, own }; // own: a unit beside both, as fast as the ALU
  double shared = 0;                 // bytes; with `constant_too` those of constant memory are counted, too
  bool constant_too = false;
  double alu = 0, sfu = 0; // operations
  Unit shift = Unit::alu, convert = Unit::alu, half = Unit::alu;
  bool both = false;       // conversions take the ALU and, alone, the SFU (VLIW5)
  double convert_cost = 1; // operations of the ALU that one takes there
  double fp_cost = 1;      // and a conversion of halves
  double issue = 0;        // instructions
};

struct Bound {
  double updates;
  const char *unit; // the unit that limits
};
Bound bound_of (const Load &load, const Rates &rates);

// Rates of a device that is in no family, by its facts.
Rates rates_of (const OpenclFacts &facts);

// What was measured of it, per second; 0: it does not run there.
struct Measured {
  double texels;  // texels fetched, with the lanes of the situation
  double updates; // updates by `local`
  Setting local;  // the setting of that
  int lanes;
};

// Updates per second of pixels that are wanted: lanes without a slice do not count.
Prediction predicted (const Proposal &proposal, const OpenclFacts &facts, const Problem &problem,
                      const Measured &measured);

// The same for any proposal.
std::function<Prediction (const Proposal &)> model (const OpenclFacts &facts, const Problem &problem,
                                                    const Measured &measured);

} // namespace sino::back_project
