// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "tasks/hdf5/protocol.hpp"
#include <functional>
#include <hdf5.h>

namespace sino::hdf5 {

// Finds all written chunks in one walk.
void find_places (hid_t dataset, const std::function<void (const ChunkPlace &)> &found);

} // namespace sino::hdf5
