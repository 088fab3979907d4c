// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"
#include <string>

namespace sino {

// Bytes that this process may still take: free memory, or less where a cgroup says so.
SINO_VISIBLE double available_memory ();

// Resident bytes of this process, now and at most so far.
SINO_VISIBLE double resident_memory ();
double peak_resident_memory ();

// A limit on what this process uses, as people write it: parse_size (), where "80%" is of what is free. False when it
// is no size, or none at all.
SINO_VISIBLE bool parse_limit (const std::string &word, double &bytes);

} // namespace sino
