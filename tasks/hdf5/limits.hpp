// SPDX-License-Identifier: LGPL-3.0-or-later
// Limits on memory and time of the process, in case of damaged files.
#pragma once
#include <cstdint>

namespace sino::hdf5 {

// Disables core files, ends the process when the other side closes the socket, and sets the limit on memory.
void confine (int socket);

// Allows the present memory permanently. Returns how much it exceeds the memory before a file was opened.
uint64_t settle ();

// Processor time for small requests, for the description of a dataset with all its sources, and for walks through all
// objects or chunks of a file.
constexpr uint64_t look_seconds = 5, describe_seconds = 10, walk_seconds = 60;

// Processor time for reading `bytes` bytes of pixels.
constexpr uint64_t read_seconds (uint64_t bytes)
{
  return walk_seconds + (bytes >> 20);
}

// Called before each request: allows additional memory, and processor time.
void allow (uint64_t bytes, uint64_t seconds);

} // namespace sino::hdf5
