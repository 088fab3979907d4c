// SPDX-License-Identifier: LGPL-3.0-or-later
// Commands that several ranks of MPI work on together.
#pragma once
#include "cli/options.hpp"

namespace sino::cli {

// Calls `body`, which returns the exit status, in all ranks; only the first one prints and saves. An exception in one
// rank ends them all.
int together (Options &options, const std::function<int ()> &body);

} // namespace sino::cli
