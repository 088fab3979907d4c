// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"

namespace sino {

// Bytes that this process may still take: free memory, or less where a cgroup says so.
SINO_INTERNAL double available_memory ();

// Resident bytes of this process, now and at most so far.
SINO_INTERNAL double resident_memory ();
double peak_resident_memory ();

} // namespace sino
