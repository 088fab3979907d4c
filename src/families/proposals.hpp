// SPDX-License-Identifier: LGPL-3.0-or-later
// Who proposes kernels for a device: what was tuned on this machine, the family's table, its model.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

inline constexpr char default_of_all[] = "default of all"; // as a proposal's origin

// The best first: what was tuned, then what the table says; in the order of the model where the device is in none of
// the table's architectures, and `modelled`. problem.lanes is 0 when they are free.
SINO_INTERNAL std::vector<Proposal> proposals (const OpenclDevice &device, const Family &family, const Problem &problem,
                                               bool modelled = true);

// What the table alone says: of the device's architecture first, then of its vendor, then for all; kernels in their
// order, as they usually are, where there is no table.
SINO_INTERNAL std::vector<Proposal> tabled (const Family &family, const OpenclFacts &facts, const Problem &problem);

// The name of the device's architecture in the table; "" when it is in none.
SINO_INTERNAL std::string architecture_of (const Family &family, const OpenclFacts &facts);

// What 'sinograph tune' found: with the problem's lanes, or with any where they are 0. What is damaged counts as
// nothing.
SINO_INTERNAL std::optional<Proposal> tuned (const OpenclDevice &device, const Family &family, const Problem &problem);

// In place of what was found for the same problem. `given`: its lanes were. Returns the file; throws Error.
SINO_INTERNAL std::string keep_tuned (const OpenclDevice &device, const Family &family, const Problem &problem,
                                      const Proposal &proposal, bool given);

} // namespace sino::families
