// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

// Bytes that this process may still take: free memory, or less where a cgroup says so.
double available_memory ();

// Resident bytes of this process, now and at most so far.
double resident_memory ();
double peak_resident_memory ();

} // namespace sino
