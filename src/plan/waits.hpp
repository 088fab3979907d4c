// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds streams that wait for each other in a circle.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <vector>

namespace sino {

// An input of a stage: the stage that feeds it, or -1, and whether all of its blocks must arrive before the first block
// of the output can leave.
struct WaitInput {
  int producer;
  bool collects;
};

// Takes the inputs of all stages, producers before consumers. Finds the inputs whose blocks have to wait in a join
// until a whole work item has passed upstream of them. The reason is another input of the join, or of a join that it
// waits for, that lies behind a stage which collects the same source. Time and memory are linear in the number of
// inputs.
SINO_VISIBLE std::vector<std::vector<bool>> find_held (const std::vector<std::vector<WaitInput>> &stages);

} // namespace sino
