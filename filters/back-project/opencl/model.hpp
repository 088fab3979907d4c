// SPDX-License-Identifier: LGPL-3.0-or-later
// Predicts the speed of kernels: the number of operations that each unit of a device needs to update a pixel by a ray,
// divided by the rate of this unit. S. Chilingaryan et al. 2019, section 6.5.
#pragma once
#include "families/family.hpp"

namespace sino::back_project {

using families::Prediction, families::Problem, families::Proposal, families::Setting;

// Parameters of the kernel that computes from local memory, named as in the paper.
struct LocalWork {
  int items;          // work-items per group
  int pixels;         // n_q, per work-item
  int lanes;          // n_v
  int fillers;        // s_t, work-items that copy one ray
  bool advanced;      // bins are pairs of value and difference
  bool half = false;  // bins are halves in local memory
  bool round = false; // rounds by additions instead of conversions
};
LocalWork local_work (const Setting &setting, int lanes);

// Operations per update with linear interpolation.
struct Load {
  double constant = 0, shared = 0;       // bytes
  double fp = 0, convert = 0, shift = 0; // operations; a fused multiply-add counts as one
  double half = 0;                       // conversions of halves
  double memory_instructions = 0;        // instructions that load or store
};
Load load_of (const LocalWork &work);

// Rates of a device or a part of it, per second or cycle. 0: no limit.
struct Rates {
  enum class Unit { alu, sfu, own }; // own: a unit beside both, as fast as the ALU
  double shared = 0;                 // bytes; if `constant_too`, including those of constant memory
  bool constant_too = false;
  double alu = 0, sfu = 0; // operations
  Unit shift = Unit::alu, convert = Unit::alu, half = Unit::alu;
  bool both = false;       // a conversion occupies the ALU, and the SFU when it runs alone (VLIW5)
  double convert_cost = 1; // ALU operations per conversion
  double fp_cost = 1;      // ALU operations per conversion of a half
  double issue = 0;        // instructions
};

struct Bound {
  double updates;
  const char *unit; // the unit that limits
};
Bound bound_of (const Load &load, const Rates &rates);

// Rates of a device that belongs to no known family, estimated from its facts.
Rates rates_of (const OpenclFacts &facts);

// Measured speeds of a device, per second; 0: the kernel does not run there.
struct Measured {
  double texels;  // texels fetched, with the lanes of the problem
  double updates; // updates by `local`
  Setting local;  // the setting that reached `updates`
  int lanes;
};

// Returns the predicted updates per second, without updates in lanes without a slice.
Prediction predicted (const Proposal &proposal, const OpenclFacts &facts, const Problem &problem,
                      const Measured &measured);

} // namespace sino::back_project
