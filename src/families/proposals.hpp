// SPDX-License-Identifier: LGPL-3.0-or-later
// Proposals of kernels for a device, from tuning on this machine, the family's table, and its model.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

// All proposals, the best first: tuned kernels, then those of the table. If `modelled` is true and the table does not
// have the device's architecture, the model sorts them. problem.lanes is 0 if lanes are free.
SINO_VISIBLE std::vector<Proposal> proposals (const OpenclDevice &device, const Family &family, const Problem &problem,
                                              bool modelled = true);

} // namespace sino::families
