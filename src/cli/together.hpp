// SPDX-License-Identifier: LGPL-3.0-or-later
// Commands that several ranks of MPI work on together.
#pragma once
#include "cli/options.hpp"

namespace sino::cli {

// Calls `body`, which gives the exit status, in all ranks, of which the first one alone talks and saves. What one of
// them throws ends them all.
int together (Options &options, const std::function<int ()> &body);

} // namespace sino::cli
