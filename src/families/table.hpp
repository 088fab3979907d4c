// SPDX-License-Identifier: LGPL-3.0-or-later
// The tuning table of a family: the fastest kernels for each architecture.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

// Proposals of the table: those for the device's architecture, then for its vendor, then for all devices. Without a
// table: all kernels in their order, with default parameters.
SINO_VISIBLE std::vector<Proposal> tabled (const Family &family, const OpenclFacts &facts, const Problem &problem);

// The name of the device's architecture in the table; "" if the table does not have it.
SINO_VISIBLE std::string architecture_of (const Family &family, const OpenclFacts &facts);

} // namespace sino::families
