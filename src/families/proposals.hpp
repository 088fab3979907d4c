// SPDX-License-Identifier: LGPL-3.0-or-later
// Who proposes kernels for a device: what was tuned on this machine, the family's table, its model.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

// The best first: what was tuned, then what the table says; in the order of the model where the device is in none of
// the table's architectures, and `modelled`. problem.lanes is 0 when they are free.
SINO_VISIBLE std::vector<Proposal> proposals (const OpenclDevice &device, const Family &family, const Problem &problem,
                                              bool modelled = true);

} // namespace sino::families
