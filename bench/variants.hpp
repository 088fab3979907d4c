// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels to measure, as the user names them: 'gather;gather(Z=8,WIDE=32)'.
#pragma once
#include "bench/scan.hpp"
#include "families/family.hpp"

namespace sino::bench {

// "gather(Z=8,WIDE=32)" as properties of a node.
Properties words_of (const std::string &variant);

// The members of a list that name kernels of the family.
std::vector<std::string> wanted_of (const families::Family &family, const std::string &variants);

// Throws if --variants is given on the CPU, or if one of its members names no kernel of these nodes. `example`: a right
// value, for the message.
void check_variants (const BenchOptions &options, const std::vector<std::string> &nodes, const char *example);

} // namespace sino::bench
