// SPDX-License-Identifier: LGPL-3.0-or-later
// Streams that have to wait for each other in a circle.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <vector>

namespace sino {

// An input of a stage: the stage that feeds it, or -1, and whether all of its blocks must have come before the first
// one of the output can leave.
struct WaitInput {
  int producer;
  bool collects;
};

// The inputs of all stages, producers before consumers. Finds those whose blocks have to wait in a join until a whole
// work item has passed upstream of them, because another input of the join, or of one that it waits for, is behind
// something that collects it. Takes time and memory for each input once.
SINO_VISIBLE std::vector<std::vector<bool>> find_held (const std::vector<std::vector<WaitInput>> &stages);

} // namespace sino
