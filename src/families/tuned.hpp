// SPDX-License-Identifier: LGPL-3.0-or-later
// What was tuned on this machine.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

// What 'sinograph tune' found: with the problem's lanes, or with any where they are 0. What is damaged counts as
// nothing.
SINO_VISIBLE std::optional<Proposal> tuned (const OpenclDevice &device, const Family &family, const Problem &problem);

// In place of what was found for the same problem. `given`: its lanes were. Returns the file; throws Error.
SINO_VISIBLE std::string keep_tuned (const OpenclDevice &device, const Family &family, const Problem &problem,
                                     const Proposal &proposal, bool given);

} // namespace sino::families
