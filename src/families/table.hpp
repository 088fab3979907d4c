// SPDX-License-Identifier: LGPL-3.0-or-later
// The table of a family, which says what is fast where.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

// What the table alone says: of the device's architecture first, then of its vendor, then for all; kernels in their
// order, as they usually are, where there is no table.
SINO_VISIBLE std::vector<Proposal> tabled (const Family &family, const OpenclFacts &facts, const Problem &problem);

// The name of the device's architecture in the table; "" when it is in none.
SINO_VISIBLE std::string architecture_of (const Family &family, const OpenclFacts &facts);

} // namespace sino::families
