// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"
#include <string>

namespace sino {

// Bytes that this process may still take: free memory, or less if a cgroup limits it.
SINO_VISIBLE double available_memory ();

// Resident bytes of this process: now, and the peak so far.
SINO_VISIBLE double resident_memory ();
double peak_resident_memory ();

// Parses a limit on this process's memory as parse_size () does; "80%" refers to free memory. False if it is no size or
// zero.
SINO_VISIBLE bool parse_limit (const std::string &word, double &bytes);

} // namespace sino
