// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels that were tuned on this machine.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

// The result of 'sinograph tune' for problem.lanes lanes, or for any number if they are 0. A damaged file counts as
// absent.
SINO_VISIBLE std::optional<Proposal> tuned (const OpenclDevice &device, const Family &family, const Problem &problem);

// Stores a result and replaces an earlier one for the same problem. `given`: it holds only for its number of lanes.
// Returns the path; throws Error.
SINO_VISIBLE std::string keep_tuned (const OpenclDevice &device, const Family &family, const Problem &problem,
                                     const Proposal &proposal, bool given);

} // namespace sino::families
