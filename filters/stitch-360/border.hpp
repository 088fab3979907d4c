// SPDX-License-Identifier: LGPL-3.0-or-later
// Checks whether the object ends before the border of the detector that is nearer to the axis. Then every ray through
// it was measured from both sides, and there is nothing to join.
#pragma once
#include "glue/task.hpp"
#include <map>
#include <mutex>

namespace sino::stitch_360 {

// Statistics of some rows.
struct Seen {
  struct Row {
    double mean;   // mean of all values
    double border; // largest mean of neighbouring projections at the border
  };
  std::mutex mutex;
  std::map<int64_t, Row> rows;
  std::string missed; // reason why there are no statistics

  // Valid after rows were seen.
  bool object_ends_before () const;
};

// Returns the rows to look at, out of `all` rows.
std::vector<Rows> rows_to_look_at (int64_t all);

// `left`: looks at the border at the first columns.
std::unique_ptr<Worker> border_looker (const Replica &replica, bool left, Seen &seen);
void border_memory (const Sizing &sizing, Bill &bill);

} // namespace sino::stitch_360
