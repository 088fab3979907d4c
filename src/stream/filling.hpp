// SPDX-License-Identifier: LGPL-3.0-or-later
// Blocks that a worker fills together, seen while it does so.
#pragma once
#include "stream/block.hpp"
#include <vector>

namespace sino {

struct Filling {
  std::shared_ptr<const std::vector<Block>> blocks;
  int64_t projections = 0; // number of projections, from the first, that are in all of them
};

} // namespace sino
