// SPDX-License-Identifier: LGPL-3.0-or-later
// What the process may take, so that no damaged file makes it grow or run without end.
#pragma once
#include <cstdint>

namespace sino::hdf5 {

// The process has no core files, an end when the other side of the socket is gone, and a bound on memory from now on.
void confine (int socket);

// What is in use now may stay. Gives back how much that is beside what was in use before any file was open.
uint64_t settle ();

// Processor time for what is looked up, for a dataset with all its sources, and for walks through all objects or chunks
// of a file.
constexpr uint64_t look_seconds = 5, describe_seconds = 10, walk_seconds = 60;

// The same for so many bytes of pixels.
constexpr uint64_t read_seconds (uint64_t bytes)
{
  return walk_seconds + (bytes >> 20);
}

// Before each request: so many bytes more than usual, and processor time.
void allow (uint64_t bytes, uint64_t seconds);

} // namespace sino::hdf5
