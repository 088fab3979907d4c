// SPDX-License-Identifier: LGPL-3.0-or-later
// What the process may take, so that no damaged file makes it grow or run without end.
#pragma once
#include <cstdint>

namespace sino::files::apart {

// From now on: no core files, an end when the other side of the socket is gone, a bound on memory.
void confine (int socket);

// Before each request: so many bytes more than usual, and processor time for them.
void allow (uint64_t bytes);

} // namespace sino::files::apart
