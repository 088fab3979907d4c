// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections of a scan that a detector still writes.
#pragma once
#include "formats/stack.hpp"
#include "tasks/files/hdf5/frame-keys.hpp"
#include "tasks/files/scan/sequence.hpp"

namespace sino::files {

using namespace formats;

// Which projections a stream has. settled: those that are in the file; leading: all of the scan, of which those can be
// read that have come without a gap; came: those up to the last one that has come.
enum class Coming : uint8_t { settled, leading, came };

struct Come {
  std::vector<int64_t> leading; // pages of the projections before the first gap
  int64_t end = 0;              // index behind the last projection that has come
};

// What has come of the projections with these numbers. `keys`: which pages are projections; null: all.
Come come_of (const Stack &stack, const Gaps &gaps, const FrameKeys *keys, Numbers numbers);

} // namespace sino::files
